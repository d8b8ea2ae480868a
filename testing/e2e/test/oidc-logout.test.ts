import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SignJWT, type JWTPayload } from 'jose';
import { addPasskey, signInWithPasskey } from '../src/factors/device.ts';
import { createBrowser, type PersonBrowser } from '../src/oidc/browser-of-person.ts';
import {
  clientId,
  clientSecret,
  startIdentityProvider,
  type IdentityProvider,
} from '../src/oidc/identity-provider.ts';
import { logoutClaims, sendLogoutToken } from '../src/oidc/logout-token.ts';
import { administrator, startTestSystem, type TestSystem } from '../src/test-system.ts';

/** Leaves a claim out. */
const without =
  (name: string) =>
  (claims: JWTPayload): JWTPayload =>
    Object.fromEntries(Object.entries(claims).filter(([each]) => each !== name));

let provider: IdentityProvider;
let system: TestSystem;

beforeAll(async () => {
  provider = await startIdentityProvider();
  system = await startTestSystem('authenticated', {
    replicas: { gateway: 1, auth: 2, agents: 1 },
    env: {
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_ALLOWED_DOMAINS: 'staff.example.org',
      LOCAL_LOGIN: 'off',
    },
  });
  provider.admit(system.baseUrl);
}, 120_000);
afterAll(async () => {
  await system.stop();
  await provider.stop();
});

const apiOf = (browser: PersonBrowser) =>
  system.as({ cookie: browser.cookies(system.baseUrl), origin: system.baseUrl });
const isSignedIn = async (browser: PersonBrowser): Promise<boolean> =>
  (await apiOf(browser)('GET', '/api/auth/session')).status === 200;

/** Signs a new person in; more browsers of the same person have a session of their own at the provider. */
const signInNewPerson = async (sub: string = randomUUID(), browser = createBrowser()) => {
  const email = `${sub}@staff.example.org`;
  provider.state.person = { sub, email, email_verified: true };
  await browser.signIn(system.baseUrl);
  expect(await isSignedIn(browser)).toBe(true);
  return { sub, browser };
};

/** The contract says a second; a busy machine gets more. */
const waitUntilSignedOut = async (browser: PersonBrowser): Promise<void> => {
  for (let attempt = 0; attempt < 60 && (await isSignedIn(browser)); attempt += 1) {
    await sleep(50);
  }
  expect(await isSignedIn(browser)).toBe(false);
};

const send = (token: string) => sendLogoutToken(system.as({}), token);

describe('a logout token', () => {
  it('of a subject ends all of its sessions, and nobody else’s', async () => {
    const { sub, browser } = await signInNewPerson();
    const second = (await signInNewPerson(sub)).browser;
    const other = (await signInNewPerson()).browser;
    const claims = logoutClaims(provider.issuer, { sub });
    expect((await send(await provider.sign(claims, { typ: 'logout+jwt' }))).status).toBe(200);
    await waitUntilSignedOut(browser);
    await waitUntilSignedOut(second);
    expect(await isSignedIn(other)).toBe(true);
  });

  it('of a subject ends a sign-in that is on its way, and none that begins afterwards', async () => {
    const { sub, browser } = await signInNewPerson();
    const callback = await browser.toCallback(`${system.baseUrl}/api/auth/oidc/start`);
    await send(await provider.sign(logoutClaims(provider.issuer, { sub })));
    const visit = await browser.visit(callback);
    expect(visit.location).toBe(`${system.baseUrl}/login?error=oidc_refused`);
    await waitUntilSignedOut(browser);
    await signInNewPerson(sub);
  });

  it('of a session ends a sign-in of that session that is on its way, and no other', async () => {
    let sid = '';
    provider.state.tamper = (claims, sign) => {
      sid = String(claims['sid']);
      return sign(claims);
    };
    const { sub, browser } = await signInNewPerson();
    provider.state.tamper = null;
    const start = `${system.baseUrl}/api/auth/oidc/start`;
    const callback = await browser.toCallback(start);
    const elsewhere = createBrowser();
    const otherCallback = await elsewhere.toCallback(start);
    await send(await provider.sign(logoutClaims(provider.issuer, { sub, sid })));
    expect((await browser.visit(callback)).location).toContain('error=oidc_refused');
    await elsewhere.visit(otherCallback);
    await waitUntilSignedOut(browser);
    expect(await isSignedIn(elsewhere)).toBe(true);
  });

  it('works once, on whichever replica', async () => {
    const { sub } = await signInNewPerson();
    const token = await provider.sign(logoutClaims(provider.issuer, { sub }));
    const statuses = await Promise.all(Array.from({ length: 6 }, () => send(token)));
    expect(statuses.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400, 400]);
  });

  it.each<[string, (claims: JWTPayload) => JWTPayload]>([
    ['with a nonce', (claims) => ({ ...claims, nonce: 'x' })],
    ['of another audience', (claims) => ({ ...claims, aud: 'x' })],
    ['of another issuer', (claims) => ({ ...claims, iss: 'https://evil.example' })],
    ['of the future', (claims) => ({ ...claims, iat: (claims.iat ?? 0) + 3600 })],
    ['that is old', (claims) => ({ ...claims, iat: (claims.iat ?? 0) - 3600 })],
    ['that has expired', (claims) => ({ ...claims, exp: (claims.iat ?? 0) - 60 })],
    ['without its event', without('events')],
    ['without jti', without('jti')],
    ['that names nobody', without('sub')],
  ])('%s is 400 and ends nothing', async (_, change) => {
    const { sub, browser } = await signInNewPerson();
    const token = await provider.sign(change(logoutClaims(provider.issuer, { sub })));
    const { status, body } = await send(token);
    expect([status, (body as { code: string }).code]).toEqual([400, 'invalid_logout_token']);
    expect(await isSignedIn(browser)).toBe(true);
  });

  it('that is no token, or signed by nobody, is 400', async () => {
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = logoutClaims(provider.issuer, { sub: 'x' });
    const unsigned = `${encode({ alg: 'none' })}.${encode(claims)}.`;
    for (const token of ['x', '..', unsigned]) {
      expect((await send(token)).status).toBe(400);
    }
    const other = await startIdentityProvider();
    expect((await send(await other.sign(claims))).status).toBe(400);
    await other.stop();
    const bySecret = new SignJWT(claims).setProtectedHeader({ alg: 'HS256' });
    expect((await send(await bySecret.sign(Buffer.from(clientSecret)))).status).toBe(400);
  });

  it('of 10 MB is refused before it is read', async () => {
    const { sub, browser } = await signInNewPerson();
    const claims = logoutClaims(provider.issuer, { sub });
    for (const padding of ['x'.repeat(20_000), 'x'.repeat(10 * 1024 * 1024)]) {
      expect((await send(await provider.sign({ ...claims, padding }))).status).toBe(413);
    }
    expect(await isSignedIn(browser)).toBe(true);
  });
});

describe('signing out', () => {
  it('leads to the provider, which ends the other sessions that it began', async () => {
    const { sub, browser } = await signInNewPerson();
    const sibling = createBrowser();
    for (const pair of browser.cookies(provider.issuer).split('; ')) {
      sibling.setCookie(provider.issuer, pair);
    }
    await signInNewPerson(sub, sibling);
    const response = await apiOf(browser)('POST', '/api/auth/logout');
    expect(response.status).toBe(200);
    const { endSessionUrl } = response.body as { endSessionUrl: string };
    expect(endSessionUrl.startsWith(`${provider.issuer}/session/end?`)).toBe(true);
    expect(await isSignedIn(browser)).toBe(false);
    const page = (await browser.visit(endSessionUrl)).body;
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
    await fetch(`${provider.issuer}/session/end/confirm`, {
      method: 'POST',
      headers: { cookie: browser.cookies(provider.issuer) },
      body: new URLSearchParams({ xsrf, logout: 'yes' }),
      redirect: 'manual',
    });
    await waitUntilSignedOut(sibling);
  });

  it('works without the provider', async () => {
    const { browser } = await signInNewPerson();
    provider.state.intercept = (_, res) => {
      res.statusCode = 500;
      res.end();
      return true;
    };
    const { status } = await apiOf(browser)('POST', '/api/auth/logout');
    provider.state.intercept = null;
    expect([200, 204]).toContain(status);
    expect(await isSignedIn(browser)).toBe(false);
  });
});

describe('without local login', () => {
  const body = { email: administrator.email, password: administrator.password };
  it.each<[string, string, object]>([
    ['POST', '/api/auth/login', body],
    ['POST', '/api/auth/setup', { ...body, token: 'x', name: 'X' }],
  ])('%s %s is 403 local_login_disabled', async (method, path, sent) => {
    const response = await system.as({ origin: system.baseUrl })(method, path, { body: sent });
    expect([response.status, (response.body as { code: string }).code]).toEqual([
      403,
      'local_login_disabled',
    ]);
  });

  it('a code is 403, and a passkey signs in', async () => {
    const code = { challenge: 'x'.repeat(43), code: '123456' };
    const response = await system.as({ origin: system.baseUrl })(
      'POST',
      '/api/auth/login/second-factor',
      { body: code },
    );
    expect([response.status, (response.body as { code: string }).code]).toEqual([
      403,
      'local_login_disabled',
    ]);
    const { browser } = await signInNewPerson();
    await browser.signIn(system.baseUrl, '?reauthenticate=true');
    const device = await addPasskey(apiOf(browser), system.baseUrl);
    const api = system.as(await signInWithPasskey(system.baseUrl, device));
    expect((await api('GET', '/api/auth/session')).status).toBe(200);
  });

  it('changing and confirming a password is 403, and the sign-in page knows', async () => {
    const api = apiOf((await signInNewPerson()).browser);
    const changed = await api('PUT', '/api/auth/password', {
      body: { currentPassword: 'x', newPassword: 'seven tall ships in the fog' },
    });
    const confirmed = await api('POST', '/api/auth/reauthenticate', { body: { password: 'x' } });
    for (const response of [changed, confirmed]) {
      expect([response.status, (response.body as { code: string }).code]).toEqual([
        403,
        'local_login_disabled',
      ]);
    }
    const { body: options } = await system.as({})('GET', '/api/auth/sign-in-options');
    expect(options).toMatchObject({ localLogin: false });
  });
});
