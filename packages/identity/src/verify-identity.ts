import { processNames } from '@commonplace/contracts/core';
import jwt from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Caller } from './caller.ts';
import {
  claimedCaller,
  identityAudience,
  identityTtlSeconds,
  identityType,
} from './identity-claims.ts';
import { issuedAtMsOf, type ClockDifference } from './clock-difference.ts';
import type { SigningKeys } from './signing-keys.ts';

const claims = z.object({
  iss: z.enum(processNames),
  aud: z.literal(identityAudience),
  iat: z.int(),
  exp: z.int(),
  caller: claimedCaller,
});

/** A verified identity: the caller, the process that signed it, and until when it is valid. */
export type VerifiedIdentity = {
  readonly caller: Caller;
  readonly issuer: string;
  readonly expiresAtMs: number;
};

/** Identities remembered per process. A minted one serves many requests, and verifying costs 20 µs. */
const rememberedMax = 5_000;

/**
 * Returns a function that verifies a signed identity; its result is null if the identity is not valid. An expired
 * one is accepted for another `agedMaxMs`, by a service that looks up its caller again.
 * jsonwebtoken accepts tokens without `exp` and with any `typ`, so both are checked here, and a
 * caller that is the service itself must have signed with its own name.
 */
export const identityVerifier = (keys: SigningKeys) => {
  const remembered = new LRUCache<string, VerifiedIdentity>({ max: rememberedMax });
  const verifyIdentity = (
    token: string,
    nowMs: number = Date.now(),
    agedMaxMs = 0,
  ): VerifiedIdentity | null => {
    const known = remembered.get(token);
    if (known) {
      return known.expiresAtMs + agedMaxMs > nowMs ? known : null;
    }
    const verified = verify(keys, token, { nowMs, agedMaxMs });
    if (verified) {
      remembered.set(token, verified);
    }
    return verified;
  };
  /** Why an identity that is not valid may be genuine nevertheless: it differs in nothing but its time. Otherwise null. */
  const findClockDifference = (
    token: string,
    nowMs: number = Date.now(),
  ): ClockDifference | null => {
    const issuedAtMs = issuedAtMsOf(token);
    const genuine =
      issuedAtMs === null ? null : verify(keys, token, { nowMs: issuedAtMs, agedMaxMs: 0 });
    return issuedAtMs === null || genuine === null
      ? null
      : { issuer: genuine.issuer, aheadSeconds: Math.round((issuedAtMs - nowMs) / 1000) };
  };
  return Object.assign(verifyIdentity, { findClockDifference });
};

export type VerifyIdentity = ReturnType<typeof identityVerifier>;

const verify = (
  keys: SigningKeys,
  token: string,
  { nowMs, agedMaxMs }: { readonly nowMs: number; readonly agedMaxMs: number },
): VerifiedIdentity | null => {
  try {
    const header = jwt.decode(token, { complete: true })?.header;
    const key = header?.kid === undefined ? undefined : keys.verifying.get(header.kid);
    if (!key || header?.typ !== identityType || 'crit' in header) {
      return null;
    }
    const payload = jwt.verify(token, key, {
      algorithms: ['HS256'],
      audience: identityAudience,
      clockTimestamp: Math.floor(nowMs / 1000),
      clockTolerance: agedMaxMs / 1000,
    });
    const { iss, iat, exp, caller } = claims.parse(payload);
    const isBounded =
      exp - iat <= identityTtlSeconds && iat * 1000 <= nowMs + identityTtlSeconds * 1000;
    const isOwnName = caller.kind !== 'service' || caller.service === iss;
    const isGatewaysBusiness = caller.kind === 'service' || iss === 'gateway';
    return isBounded && isOwnName && isGatewaysBusiness
      ? { caller, issuer: iss, expiresAtMs: exp * 1000 }
      : null;
  } catch {
    return null;
  }
};
