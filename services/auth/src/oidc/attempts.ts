import { createHash, hkdfSync } from 'node:crypto';
import {
  AppError,
  operatorId,
  sessionId,
  type OperatorId,
  type SessionId,
} from '@commonplace/contracts/core';
import {
  attemptCookieBytesMax,
  attemptCookiePrefix,
  attemptCookiesMax,
  readAttemptCookies,
} from '@commonplace/identity';
import { EncryptJWT, jwtDecrypt } from 'jose';
import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import { z } from 'zod';
import type { RawExchange } from '../sessions/sessions.ts';
import type { AttemptChecks } from './provider.ts';

/** What a sign-in through the provider is for. */
export type AttemptPurpose =
  | { readonly kind: 'sign_in' }
  /** Accepts an invite with the verified email of the identity. */
  | { readonly kind: 'invite'; readonly tokenDigest: string }
  /** Links the identity to the operator of a session. */
  | { readonly kind: 'link'; readonly operatorId: OperatorId; readonly sessionId: SessionId };

/** One sign-in through the provider, from the start to the callback. */
export type Attempt = AttemptChecks & {
  /** Where the browser goes afterwards: a path of our own origin. */
  readonly returnTo: string;
  readonly purpose: AttemptPurpose;
  /** When it began. */
  readonly begunAtMs: number;
  /**
   * The session that the browser had. The browser does not send it with the navigation from the
   * provider, so the sign-in ends it by this name.
   */
  readonly former?: FormerSession | undefined;
};

export type FormerSession = { readonly operatorId: OperatorId; readonly sessionId: SessionId };

export type Attempts = {
  /** Creates an attempt and sends its cookie with the response. */
  readonly begin: (
    raw: RawExchange,
    wanted: Pick<Attempt, 'returnTo' | 'purpose' | 'isFresh' | 'former'>,
  ) => Promise<Attempt>;
  /** Reads the attempt of a callback and removes its cookie. 400 `oidc_attempt_invalid`. */
  readonly take: (raw: RawExchange, state: string) => Promise<Attempt>;
};

export const attemptSeconds = 10 * 60;

const attemptSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  isFresh: z.boolean(),
  returnTo: z.string(),
  // Attempts of the release before have none; to them every logout that is remembered applies.
  begunAtMs: z.number().default(0),
  former: z.object({ operatorId, sessionId }).optional(),
  purpose: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('sign_in') }),
    z.object({ kind: z.literal('invite'), tokenDigest: z.string() }),
    z.object({ kind: z.literal('link'), operatorId, sessionId }),
  ]),
});

export type AttemptOptions = {
  /** The first seals, all open. */
  readonly secrets: readonly string[];
  readonly isHttps: boolean;
  readonly clock: () => Date;
};

/**
 * Creates the attempts: state, nonce and code verifier in an encrypted cookie of ten minutes.
 * `SameSite=Lax`, because the callback is a navigation that begins at the provider.
 */
export const createAttempts = ({ secrets, isHttps, clock }: AttemptOptions): Attempts => {
  const keys = secrets.map(keyOf);
  const remove = ({ res }: RawExchange, name: string): void => {
    res.appendHeader('Set-Cookie', cookieOf(name, '', { isHttps, seconds: 0 }));
  };

  return {
    begin: async (raw, wanted) => {
      const attempt: Attempt = {
        ...wanted,
        begunAtMs: clock().getTime(),
        state: randomState(),
        nonce: randomNonce(),
        codeVerifier: randomPKCECodeVerifier(),
      };
      const sealed = await new EncryptJWT({ attempt })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime(new Date(clock().getTime() + attemptSeconds * 1000))
        .encrypt(keys[0] as Uint8Array);
      const name = nameOf(attempt.state, isHttps);
      const former = readAttemptCookies(raw.req.headers.cookie, isHttps);
      excessCookies(former, bytesOf(name, sealed)).forEach((each) => remove(raw, each));
      raw.res.appendHeader(
        'Set-Cookie',
        cookieOf(name, sealed, { isHttps, seconds: attemptSeconds }),
      );
      return attempt;
    },
    take: async (raw, state) => {
      const name = nameOf(state, isHttps);
      const sealed = readAttemptCookies(raw.req.headers.cookie, isHttps).get(name);
      if (sealed === undefined) {
        throw new AppError('oidc_attempt_invalid', 'This browser did not start the sign-in.');
      }
      remove(raw, name);
      const attempt = await open(sealed, keys, clock());
      if (attempt?.state !== state) {
        throw new AppError('oidc_attempt_invalid');
      }
      return attempt;
    },
  };
};

/**
 * Returns the names of the oldest cookies that leave no room for a new one. Cookies of abandoned attempts would grow
 * the requests of the browser, and pages elsewhere can begin attempts.
 */
const excessCookies = (cookies: ReadonlyMap<string, string>, newBytes: number): string[] => {
  let bytes = newBytes;
  return [...cookies].toReversed().flatMap(([name, value], index) => {
    bytes += bytesOf(name, value);
    return index + 1 >= attemptCookiesMax || bytes > attemptCookieBytesMax ? [name] : [];
  });
};

/** What a cookie adds to a request: its name and value, `=` and `; `. All are ASCII. */
const bytesOf = (name: string, value: string): number => name.length + value.length + 3;

const cookieOf = (
  name: string,
  value: string,
  { isHttps, seconds }: { readonly isHttps: boolean; readonly seconds: number },
): string =>
  [
    `${name}=${value}`,
    'Path=/',
    `Max-Age=${seconds}`,
    'HttpOnly',
    ...(isHttps ? ['Secure'] : []),
    'SameSite=Lax',
  ].join('; ');

/** Opens a sealed attempt; null if it is expired or not of our making. */
const open = async (
  sealed: string,
  keys: readonly Uint8Array[],
  now: Date,
): Promise<Attempt | null> => {
  for (const key of keys) {
    const payload = await jwtDecrypt(sealed, key, {
      currentDate: now,
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
      requiredClaims: ['exp'],
    }).then(
      (opened) => opened.payload,
      () => null,
    );
    if (payload) {
      return attemptSchema.safeParse(payload['attempt']).data ?? null;
    }
  }
  return null;
};

/** The secrets sign session cookies; sealing has keys of its own. */
const keyOf = (secret: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', 'commonplace oidc attempt', 32));

const nameOf = (state: string, isHttps: boolean): string =>
  `${attemptCookiePrefix(isHttps)}${createHash('sha256').update(state).digest('hex').slice(0, 16)}`;
