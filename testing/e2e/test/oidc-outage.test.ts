import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createBrowser } from '../src/oidc/browser-of-person.ts';
import {
  clientId,
  clientSecret,
  startIdentityProvider,
  type IdentityProvider,
} from '../src/oidc/identity-provider.ts';
import { logoutClaims, sendLogoutToken } from '../src/oidc/logout-token.ts';
import { misbehaveAt, nonsense, withJson } from '../src/oidc/misbehave.ts';
import { administrator, startTestSystem, type TestSystem } from '../src/test-system.ts';

/** A system that starts while its provider is down. */
let provider: IdentityProvider;
let system: TestSystem;

const isDown: IdentityProvider['state']['intercept'] = (req) => {
  req.socket.destroy();
  return true;
};

beforeAll(async () => {
  provider = await startIdentityProvider();
  provider.state.intercept = isDown;
  system = await startTestSystem('authenticated', {
    env: {
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_ALLOWED_DOMAINS: 'staff.example.org',
    },
  });
  provider.admit(system.baseUrl);
}, 120_000);
afterAll(async () => {
  await system.stop();
  await provider.stop();
});
afterEach(() => {
  provider.state.intercept = isDown;
});

/** Signs a new person in; returns the code of the refusal, null means there is none. */
const signIn = async (): Promise<string | null> => {
  const sub = randomUUID();
  provider.state.person = { sub, email: `${sub}@staff.example.org`, email_verified: true };
  const browser = createBrowser();
  const begun = await browser.visit(`${system.baseUrl}/api/auth/oidc/start`);
  const refusal = new URL(begun.location).searchParams.get('error');
  if (refusal !== null) {
    return refusal;
  }
  const callback = await browser.toCallback(begun.location);
  return new URL((await browser.visit(callback)).location).searchParams.get('error');
};

/** The provider ends the sessions of a subject; returns status and code of the response. */
const sendLogout = async (): Promise<unknown[]> => {
  const claims = logoutClaims(provider.issuer, { sub: 'a-person' });
  const token = await provider.sign(claims, { typ: 'logout+jwt' });
  const { status, body } = await sendLogoutToken(system.as({}), token);
  return [status, (body as { code?: string } | null)?.code];
};

const unavailable = [503, 'oidc_unavailable'];
const discoveryPath = '/.well-known/openid-configuration';

/** A discovery document that lacks or changes something. */
const documentWith = (change: object) =>
  withJson({
    issuer: provider.issuer,
    authorization_endpoint: `${provider.issuer}/auth`,
    token_endpoint: `${provider.issuer}/token`,
    jwks_uri: `${provider.issuer}/jwks`,
    ...change,
  });

/** What failed is not repeated for two seconds. */
const retryMs = 2_100;

/** Sends 10 MB of JSON; resolves to whether the client took all of it. */
const sendMuch = (res: ServerResponse): Promise<boolean> => {
  res.setHeader('Content-Type', 'application/json');
  res.end(`{"x":"${'x'.repeat(10 * 1024 * 1024)}"}`);
  return new Promise((resolve) => {
    res.once('close', () => resolve(res.writableFinished));
  });
};

describe('a system that starts while the provider is down', () => {
  it('is ready, signs in by password, and explains why single sign-on does not work', async () => {
    expect((await system.as({})('GET', '/readyz')).status).toBe(200);
    const page = system.as({ origin: system.baseUrl });
    expect((await page('POST', '/api/auth/login', { body: administrator })).status).toBe(200);
    expect(await signIn()).toBe('oidc_unavailable');
    const { status, body } = await system.as({})('GET', '/api/auth/oidc/start');
    expect([status, (body as { code: string }).code]).toEqual([503, 'oidc_unavailable']);
    const token = await system.as({})('POST', '/api/auth/oidc/backchannel-logout', {
      raw: 'logout_token=x',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(token.status).toBe(503);
  });

  it.each([
    ...nonsense,
    ['the document of another issuer', (res) => documentWith({ issuer: 'https://a.example' })(res)],
    ['no keys', (res) => documentWith({ jwks_uri: undefined })(res)],
    ['a code for its page', (res) => documentWith({ authorization_endpoint: 'javascript:1' })(res)],
  ] satisfies typeof nonsense)(
    'finds it unavailable, whatever is begun, while its document is %s',
    async (_, respond) => {
      misbehaveAt(provider, discoveryPath, respond);
      await sleep(retryMs);
      expect(await signIn()).toBe('oidc_unavailable');
      const board = system.as(await system.boardHeaders());
      const { status, body } = await board('POST', '/api/auth/identities');
      expect([status, (body as { code: string }).code]).toEqual(unavailable);
      expect(await sendLogout()).toEqual(unavailable);
    },
  );

  it.each([discoveryPath, '/jwks'])('is not filled by 10 MB from %s', async (path) => {
    const taken: Promise<boolean>[] = [];
    provider.state.intercept = (req, res) => {
      if (req.url !== path) {
        return false;
      }
      taken.push(sendMuch(res));
      return true;
    };
    await sleep(retryMs);
    expect(await signIn()).toBe('oidc_unavailable');
    expect(new Set(await Promise.all(taken))).toEqual(new Set([false]));
    expect((await system.as({})('GET', '/readyz')).status).toBe(200);
  });

  it('signs in when the provider is back, without a restart', async () => {
    provider.state.intercept = null;
    await sleep(retryMs);
    expect(await signIn()).toBeNull();
  });
});

describe('a provider that responds with something else', () => {
  it.each([...nonsense, ['a list', withJson([])] as const])(
    'is unavailable while its keys are %s: a logout token is not refused for good',
    async (_, respond) => {
      await provider.rotateKey();
      misbehaveAt(provider, '/jwks', respond);
      // An unknown key is looked for again.
      await sleep(retryMs);
      expect(await sendLogout()).toEqual(unavailable);
      expect(await signIn()).toBe('oidc_unavailable');
      provider.state.intercept = null;
      await sleep(retryMs);
      expect(await sendLogout()).toEqual([200, undefined]);
      expect(await signIn()).toBeNull();
    },
  );

  it('is not flooded with requests for its keys by logout tokens of invented ones', async () => {
    let requests = 0;
    misbehaveAt(provider, '/jwks', (res) => {
      requests += 1;
      res.writeHead(503).end();
    });
    await provider.rotateKey();
    await sleep(retryMs);
    const beganAtMs = performance.now();
    for (let count = 0; count < 20; count += 1) {
      expect(await sendLogout()).toEqual(unavailable);
    }
    const intervals = (performance.now() - beganAtMs) / 2_000;
    expect(requests).toBeLessThanOrEqual(Math.ceil(intervals));
    provider.state.intercept = null;
    await sleep(retryMs);
  });

  it.each(nonsense)('is unavailable while its tokens are %s', async (_, respond) => {
    misbehaveAt(provider, '/token', respond);
    expect(await signIn()).toBe('oidc_unavailable');
  });

  it.each([
    ['client secret', { error: 'invalid_client' }, {}],
    ['client secret, by a challenge', { error: 'invalid_client' }, { 'WWW-Authenticate': 'Basic' }],
    ['client', { error: 'unauthorized_client' }, {}],
  ])('is unavailable while it does not take our %s', async (_, body, challenge) => {
    const headers = { 'Content-Type': 'application/json', ...challenge };
    misbehaveAt(provider, '/token', (res) => res.writeHead(401, headers).end(JSON.stringify(body)));
    expect(await signIn()).toBe('oidc_unavailable');
  });

  it('is unavailable when it says so', async () => {
    provider.state.intercept = null;
    const browser = createBrowser();
    const begun = await browser.visit(`${system.baseUrl}/api/auth/oidc/start`);
    const query = new URLSearchParams({
      error: 'temporarily_unavailable',
      state: new URL(begun.location).searchParams.get('state') ?? '',
      iss: provider.issuer,
    });
    const visit = await browser.visit(
      `${system.baseUrl}/api/auth/oidc/callback?${query.toString()}`,
    );
    expect(new URL(visit.location).searchParams.get('error')).toBe('oidc_unavailable');
  });
});
