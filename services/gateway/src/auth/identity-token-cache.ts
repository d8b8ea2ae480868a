import type { Caller, MintIdentity } from '@commonplace/identity';
import type { Clock } from '../deps.ts';

/** Gives the signed identity of a caller. */
export type IdentityTokenFor = (caller: Caller) => string;

/** An identity lives 10 s; it is signed anew long before, because requests may wait on their way. */
const reuseMaxMs = 4_000;

/**
 * Makes the function that signs callers, once for each object: a caller is an entry of the
 * verification cache, so its identity dies with it, and a busy credential is signed twice a second.
 */
export const createIdentityTokenCache = (mint: MintIdentity, clock: Clock): IdentityTokenFor => {
  const minted = new WeakMap<Caller, { readonly token: string; readonly atMs: number }>();
  return (caller) => {
    const nowMs = clock.nowMs();
    const known = minted.get(caller);
    if (known && nowMs >= known.atMs && nowMs - known.atMs < reuseMaxMs) {
      return known.token;
    }
    const token = mint(caller, nowMs);
    minted.set(caller, { token, atMs: nowMs });
    return token;
  };
};
