import { AppError, plainText } from '@commonplace/contracts/core';
import { jwtVerify, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { ProviderUnavailableError } from './bounded-fetch.ts';

/** A verified request of the provider to end sessions. It names a session, a subject, or both. */
export type LogoutToken = {
  readonly issuer: string;
  readonly jti: string;
  readonly subject: string | null;
  readonly sid: string | null;
};

type Expected = {
  readonly keys: JWTVerifyGetKey;
  readonly issuer: string;
  readonly audience: string;
};

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
const tokenAgeMax = '5 minutes';
/** As for ID tokens in openid-client: the clock of a provider may be ahead. */
export const clockToleranceSeconds = 30;

/** A `jti` is remembered for longer than its token can be used. */
export const logoutTokenRetentionSeconds = 10 * 60;

const text = plainText(1, 255);

/** OpenID Connect Back-Channel Logout 1.0, section 2.4. A `nonce` would make it an ID token. */
const claimsSchema = z
  .looseObject({
    jti: text,
    sub: text.optional(),
    sid: text.optional(),
    events: z.looseObject({ [logoutEvent]: z.looseObject({}) }),
    nonce: z.undefined().optional(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined);

/** Verifies a logout token; throws 400 `invalid_logout_token`. */
export const verifyLogoutToken = async (
  token: string,
  { keys, issuer, audience }: Expected,
): Promise<LogoutToken> => {
  const verified = await jwtVerify(token, keys, {
    issuer,
    audience,
    maxTokenAge: tokenAgeMax,
    clockTolerance: clockToleranceSeconds,
    requiredClaims: ['iat', 'jti', 'events'],
  }).catch((error: unknown) => {
    // The keys could not be read: the token may be good.
    throw error instanceof ProviderUnavailableError
      ? error
      : new AppError('invalid_logout_token', undefined, { cause: error });
  });
  const claims = claimsSchema.safeParse(verified.payload);
  const type = verified.protectedHeader.typ?.toLowerCase() ?? 'jwt';
  if (!claims.success || (type !== 'jwt' && type !== 'logout+jwt')) {
    throw new AppError('invalid_logout_token');
  }
  const { jti, sub = null, sid = null } = claims.data;
  return { issuer, jti, subject: sub, sid };
};
