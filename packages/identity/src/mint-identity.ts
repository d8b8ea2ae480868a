import jwt from 'jsonwebtoken';
import type { ProcessName } from '@commonplace/contracts/core';
import type { Caller } from './caller.ts';
import { claimOf, identityAudience, identityTtlSeconds, identityType } from './identity-claims.ts';
import type { SigningKeys } from './signing-keys.ts';

/** Makes the function that signs identities as `issuer`: JWT HS256, `typ: int+jwt`, 10 seconds. */
export const identityMinter =
  (keys: SigningKeys, issuer: ProcessName) =>
  (caller: Caller, nowMs: number = Date.now()): string => {
    const issuedAtSeconds = Math.floor(nowMs / 1000);
    const claims = {
      caller: claimOf(caller),
      iat: issuedAtSeconds,
      exp: issuedAtSeconds + identityTtlSeconds,
    };
    return jwt.sign(claims, keys.signing.key, {
      algorithm: 'HS256',
      issuer,
      audience: identityAudience,
      header: { alg: 'HS256', typ: identityType, kid: keys.signing.kid },
    });
  };

export type MintIdentity = ReturnType<typeof identityMinter>;
