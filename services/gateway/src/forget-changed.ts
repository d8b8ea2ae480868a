import type { Caller } from '@commonplace/identity';
import type { RouteContract } from '@commonplace/contracts';
import { isUnsafe } from './cross-site.ts';

/** What a successful request may have changed. */
export type Change = {
  readonly method: string | undefined;
  readonly contract: RouteContract;
  readonly params: Readonly<Record<string, string>>;
  /** Null on public routes. */
  readonly caller: Caller | null;
};

/** Whatever remembers answers about credentials and memberships. */
export type Forgetful = { readonly forget: (ids: ReadonlySet<string>) => void };

/**
 * After a change that went through this gateway, what is remembered of the ids it names is forgotten
 * before the client hears of it: a revocation is immediate here (other replicas follow within a
 * second), and a new company can be used at once. Notes kill no credential.
 */
export const forgetChanged = (
  { method, contract, params, caller }: Change,
  memories: readonly Forgetful[],
): void => {
  if (!isUnsafe(method) || contract.service === 'notes') {
    return;
  }
  const ids = new Set(Object.values(params).map((value) => value.toLowerCase()));
  if (caller?.kind === 'operator') {
    ids.add(caller.operatorId);
  }
  for (const memory of memories) {
    memory.forget(ids);
  }
};
