import jwt from 'jsonwebtoken';
import { agentId, companyId, runId } from '@commonplace/contracts/core';
import type { AgentId, CompanyId, RunId } from '@commonplace/contracts/core';
import { z } from 'zod';
import type { SigningKeys } from './signing-keys.ts';
import { issuedAtMsOf, type ClockDifference } from './clock-difference.ts';

/** What a run JWT says, after every check. */
export type RunTokenClaims = {
  readonly agentId: AgentId;
  readonly companyId: CompanyId;
  readonly runId: RunId;
  /** Unique for every token, also for two of one run. */
  readonly tokenId: string;
  readonly issuedAtSeconds: number;
  readonly expiresAtSeconds: number;
};

/** Fixed names of run JWTs (docs/contract.md, "Runs and run JWTs"). */
export const runTokenIssuer = 'commonplace-auth';
export const runTokenAudience = 'commonplace-gateway';
export const runTokenType = 'run+jwt';

/** No run JWT lives longer; renewing gives a new one. */
export const runTokenTtlMaxSeconds = 3_600;

/** Longer bearers are refused before anything reads them. A real one has about 500 bytes. */
const tokenBytesMax = 4_096;

/** How far the clock of another machine may be ahead of ours. */
const clockSkewSeconds = 10;

const wireClaims = z.object({
  iss: z.literal(runTokenIssuer),
  aud: z.literal(runTokenAudience),
  sub: agentId,
  company_id: companyId,
  run_id: runId,
  jti: z.string().min(1).max(64),
  iat: z.int(),
  exp: z.int(),
});

/** Signs a run JWT: HS256 with the first key, whose id goes into the header. */
export const signRunToken = (keys: SigningKeys, claims: RunTokenClaims): string => {
  const payload: z.input<typeof wireClaims> = {
    iss: runTokenIssuer,
    aud: runTokenAudience,
    sub: claims.agentId,
    company_id: claims.companyId,
    run_id: claims.runId,
    jti: claims.tokenId,
    iat: claims.issuedAtSeconds,
    exp: claims.expiresAtSeconds,
  };
  return jwt.sign(payload, keys.signing.key, {
    algorithm: 'HS256',
    header: { alg: 'HS256', typ: runTokenType, kid: keys.signing.kid },
  });
};

/**
 * Reads a run JWT; null if it is not valid. jsonwebtoken by itself accepts tokens without
 * `exp` and with any `typ`, and throws TypeErrors on odd payloads, so it only checks the
 * signature and the clock. Whether the run is still active is checked elsewhere.
 */
export const verifyRunToken = (
  keys: SigningKeys,
  token: string,
  nowMs: number,
): RunTokenClaims | null => verifyAgedRunToken(keys, token, { nowMs, agedMaxSeconds: 0 });

/** As `verifyRunToken`, and accepts a token for so long after its expiry. */
export const verifyAgedRunToken = (
  keys: SigningKeys,
  token: string,
  { nowMs, agedMaxSeconds }: { readonly nowMs: number; readonly agedMaxSeconds: number },
): RunTokenClaims | null => {
  if (token.length > tokenBytesMax) {
    return null;
  }
  try {
    const header = jwt.decode(token, { complete: true })?.header;
    const key = typeof header?.kid === 'string' ? keys.verifying.get(header.kid) : undefined;
    if (!key || header?.typ !== runTokenType || 'crit' in header) {
      return null;
    }
    const nowSeconds = Math.floor(nowMs / 1000);
    const payload = jwt.verify(token, key, {
      algorithms: ['HS256'],
      issuer: runTokenIssuer,
      audience: runTokenAudience,
      clockTimestamp: nowSeconds,
      clockTolerance: agedMaxSeconds,
    });
    const claims = wireClaims.parse(payload);
    return isBounded(claims, nowSeconds) ? fromWire(claims) : null;
  } catch {
    return null;
  }
};

/**
 * Why a run JWT that is not valid may be genuine nevertheless: an auth process whose clock is ahead of ours signed it, by
 * more than is tolerated. Otherwise null. A token of a slow clock cannot be distinguished from one that has expired.
 */
export const findRunTokenClockDifference = (
  keys: SigningKeys,
  token: string,
  nowMs: number,
): ClockDifference | null => {
  const issuedAtMs = issuedAtMsOf(token);
  if (issuedAtMs === null || issuedAtMs <= nowMs || !verifyRunToken(keys, token, issuedAtMs)) {
    return null;
  }
  return { issuer: 'auth', aheadSeconds: Math.round((issuedAtMs - nowMs) / 1000) };
};

/** A token from the future or with a lifetime we never give was not made by our auth service. */
const isBounded = ({ iat, exp }: { iat: number; exp: number }, nowSeconds: number): boolean =>
  exp > iat && exp - iat <= runTokenTtlMaxSeconds && iat <= nowSeconds + clockSkewSeconds;

const fromWire = (claims: z.output<typeof wireClaims>): RunTokenClaims => ({
  agentId: claims.sub,
  companyId: claims.company_id,
  runId: claims.run_id,
  tokenId: claims.jti,
  issuedAtSeconds: claims.iat,
  expiresAtSeconds: claims.exp,
});
