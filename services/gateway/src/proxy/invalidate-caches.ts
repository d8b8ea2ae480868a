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
  /** Null where the length is not known. */
  readonly bodyBytes: number | null;
};

/** The longest body that says nothing: an empty object. */
const emptyBodyBytesMax = 2;

/** Reports of usage and renewals are as frequent as writes of notes; each would cost lookups of every company. */
const changesCredentials = ({ method, contract, bodyBytes }: Change): boolean =>
  isUnsafeMethod(method) &&
  contract.service !== 'notes' &&
  contract.changesCredentials !== 'never' &&
  !(
    contract.changesCredentials === 'by_body' &&
    bodyBytes !== null &&
    bodyBytes <= emptyBodyBytesMax
  );

/**
 * Invalidates the cache entries that a successful request may have changed: those with an id of its path or of
 * the operator. It runs before the client gets the response, so a revocation takes effect at once on this
 * replica (on others within a second) and a new company can be used at once. Notes affect no credential.
 */
export const invalidateChanged = (change: Change, caches: readonly Invalidatable[]): void => {
  if (!changesCredentials(change)) {
    return;
  }
  const { params, caller } = change;
  const ids = new Set(Object.values(params).map((value) => value.toLowerCase()));
  if (caller?.kind === 'operator') {
    ids.add(caller.operatorId);
  }
  for (const cache of caches) {
    cache.invalidate(ids);
  }
};
