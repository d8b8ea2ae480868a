import { setTimeout as sleep } from 'node:timers/promises';
import { Secret, TOTP } from 'otpauth';
import { createApi, type Api } from '../call-api.ts';
import type { SignIn } from '../sign-in.ts';
import { whenAvailable } from '../when-available.ts';
import { bodyOf, headersOf, type Headers } from './response-of.ts';

/** An operator's authenticator app, and what the server showed when it was set up. */
export type AuthenticatorApp = {
  /** A code that was not used; waits while the server would accept none. */
  readonly next: () => Promise<string>;
  /** A code that no step around now has. */
  readonly wrong: () => string;
  readonly recoveryCodes: readonly string[];
};

const stepMs = 30_000;
/** Steps around now that the server accepts. */
const tolerance = 1;

const stepNow = () => Math.floor(Date.now() / stepMs);

/** Sets up an app for the operator of a session. */
export const setUpApp = async (api: Api): Promise<AuthenticatorApp> => {
  const begun = await whenAvailable(() => api('POST', '/api/auth/totp'));
  const { secret } = bodyOf(begun, 200) as { secret: string };
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const codeOf = (step: number) => totp.generate({ timestamp: step * stepMs });
  let used = 0;
  const next = async (): Promise<string> => {
    // Not the last seconds of a step: it must still count when the request arrives.
    const earliest = Math.floor((Date.now() + 5_000) / stepMs) - tolerance;
    const step = Math.max(used + 1, earliest);
    while (step > stepNow() + tolerance) {
      await sleep(250);
    }
    used = step;
    return codeOf(step);
  };
  const code = await next();
  const confirmed = await whenAvailable(() =>
    api('POST', '/api/auth/totp/confirm', { body: { code } }),
  );
  const { recoveryCodes } = bodyOf(confirmed, 200) as { recoveryCodes: string[] };
  const wrong = (): string => {
    const near = [-2, -1, 0, 1, 2].map((offset) => codeOf(stepNow() + offset));
    return ['123456', '234567', '345678', '456789', '567890', '678901'].find(
      (code) => !near.includes(code),
    ) as string;
  };
  return { next, wrong, recoveryCodes };
};

/** Sends the right password of an operator with an app; returns the challenge for the code. */
export const challengeOf = async ({ baseUrl, email, password }: SignIn): Promise<string> => {
  const api = createApi({ baseUrl, headers: { origin: baseUrl } });
  const response = await api('POST', '/api/auth/login', { body: { email, password } });
  return (bodyOf(response, 401) as { challenge: string }).challenge;
};

/** Signs in with password and code, and returns the headers a browser would send from then on. */
export const signInWithCode = async (signIn: SignIn, app: AuthenticatorApp): Promise<Headers> => {
  const { baseUrl } = signIn;
  const body = { challenge: await challengeOf(signIn), code: await app.next() };
  const api = createApi({ baseUrl, headers: { origin: baseUrl } });
  return headersOf(baseUrl, await api('POST', '/api/auth/login/second-factor', { body }));
};
