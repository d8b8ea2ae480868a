import type { RouteContract } from '@commonplace/contracts';
import type { Caller } from '@commonplace/identity';
import type { Invalidatable } from '../auth/verification/cache.ts';
import { isUnsafeMethod } from '../validate/csrf.ts';

/** A successful request. */
type Change = {
  readonly method: string | undefined;
  readonly contract: RouteContract;
  readonly params: Readonly<Record<string, string>>;
  /** Null on public routes. */
  readonly caller: Caller | null;
};

/**
 * Invalidates the cache entries that a successful request may have changed: those with an id of its path or of
 * the operator. It runs before the client gets the response, so a revocation takes effect at once on this
 * replica (on others within a second) and a new company can be used at once. Notes affect no credential.
 */
export const invalidateChanged = (
  { method, contract, params, caller }: Change,
  caches: readonly Invalidatable[],
): void => {
  if (!isUnsafeMethod(method) || contract.service === 'notes') {
    return;
  }
  const ids = new Set(Object.values(params).map((value) => value.toLowerCase()));
  if (caller?.kind === 'operator') {
    ids.add(caller.operatorId);
  }
  for (const cache of caches) {
    cache.invalidate(ids);
  }
};
