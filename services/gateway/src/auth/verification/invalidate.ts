import type { Caller } from '@commonplace/identity';
import type { RouteContract } from '@commonplace/contracts';
import { isUnsafeMethod } from '../../validate/csrf.ts';

/** What a successful request may have changed. */
export type Change = {
  readonly method: string | undefined;
  readonly contract: RouteContract;
  readonly params: Readonly<Record<string, string>>;
  /** Null on public routes. */
  readonly caller: Caller | null;
};

/** Whatever remembers answers about credentials and memberships. */
export type Invalidatable = { readonly invalidate: (ids: ReadonlySet<string>) => void };

/**
 * After a change that went through this gateway, what is remembered of the ids it names is forgotten
 * before the client hears of it: a revocation is immediate here (other replicas follow within a
 * second), and a new company can be used at once. Notes kill no credential.
 */
export const invalidateChanged = (
  { method, contract, params, caller }: Change,
  memories: readonly Invalidatable[],
): void => {
  if (!isUnsafeMethod(method) || contract.service === 'notes') {
    return;
  }
  const ids = new Set(Object.values(params).map((value) => value.toLowerCase()));
  if (caller?.kind === 'operator') {
    ids.add(caller.operatorId);
  }
  for (const memory of memories) {
    memory.invalidate(ids);
  }
};
