import type { Caller, MintIdentity } from '@commonplace/identity';
import type { Clock } from '../deps.ts';

/** Returns the signed identity of a caller. */
export type IdentityTokenFor = (caller: Caller) => string;

/** An identity expires after 10 s. It is signed again long before, because a request may wait on its way. */
const reuseMaxMs = 4_000;

/**
 * Creates the function that signs identities, once per caller object. The verification cache owns these
 * objects, so an identity is dropped with its entry and a busy credential is signed twice a second.
 */
export const createIdentityTokenCache = (mint: MintIdentity, clock: Clock): IdentityTokenFor => {
  const tokens = new WeakMap<Caller, { readonly token: string; readonly mintedAtMs: number }>();
  return (caller) => {
    const nowMs = clock.nowMs();
    const cached = tokens.get(caller);
    if (cached && nowMs >= cached.mintedAtMs && nowMs - cached.mintedAtMs < reuseMaxMs) {
      return cached.token;
    }
    const token = mint(caller, nowMs);
    tokens.set(caller, { token, mintedAtMs: nowMs });
    return token;
  };
};
