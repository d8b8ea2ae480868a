import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createApi, type Api, type ApiResponse } from '../src/call-api.ts';
import { challengeOf, setUpApp, signInWithCode } from '../src/factors/authenticator-app.ts';
import { addPasskey, signInWithPasskey } from '../src/factors/device.ts';
import { createBrowser, type PersonBrowser } from '../src/oidc/browser-of-person.ts';
import {
  clientId,
  clientSecret,
  startIdentityProvider,
  type IdentityProvider,
} from '../src/oidc/identity-provider.ts';
import { beginWith, linkPerson } from '../src/oidc/link-person.ts';
import { signIn } from '../src/sign-in.ts';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';
import { memberPassword as password } from '../src/world.ts';

let provider: IdentityProvider;
let system: TestSystem;
let gateways: readonly string[];
let board: Api;
let companyId: string;

beforeAll(async () => {
  provider = await startIdentityProvider();
  system = await startTestSystem('authenticated', {
    replicas: { gateway: 2, auth: 2 },
    env: {
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      REQUIRE_SECOND_FACTOR: 'on',
      OIDC_REQUIRE_AMR: 'mfa,hwk',
    },
  });
  provider.admit(system.baseUrl);
  gateways = system.system.processes
    .filter(({ name }) => name === 'gateway')
    .map(({ port }) => `http://127.0.0.1:${port}`);
  board = system.as(await system.boardHeaders());
  await setUpApp(board);
  companyId = await makeCompany();
}, 120_000);
afterAll(async () => {
  await system.stop();
  await provider.stop();
});
afterEach(() => {
  provider.state.tamper = null;
});

const codeOf = ({ status, body }: ApiResponse) => [status, (body as { code?: string }).code];
const enrolFirst = [403, 'second_factor_enrolment_required'];
const proveAgain = [403, 'reauthentication_required'];

const makeCompany = async (): Promise<string> => {
  const { body } = await board('POST', '/api/companies', { body: { name: 'Guarded' } });
  return (body as { id: string }).id;
};

const inviteTo = async (company: string, email: string): Promise<string> => {
  const path = `/api/companies/${company}/invites`;
  const { body } = await board('POST', path, { body: { email, role: 'viewer' } });
  return (body as { token: string }).token;
};

/** A new member, signed in by password alone. */
const newMember = async () => {
  const { baseUrl } = system;
  const email = `${randomUUID()}@example.org`;
  const body = { token: await inviteTo(companyId, email), name: 'Mia', password };
  const page = system.as({ origin: baseUrl });
  expect((await page('POST', '/api/auth/invites/accept', { body })).status).toBe(200);
  const account = { baseUrl, email, password };
  return { account, api: system.as(await signIn(account)) };
};

/** The provider names these methods in the next ID tokens. */
const namingMethods = (...amr: string[]): void => {
  provider.state.tamper = (claims, sign) => sign({ ...claims, amr });
};

const apiOf = (browser: PersonBrowser): Api =>
  system.as({ cookie: browser.cookies(system.baseUrl), origin: system.baseUrl });

/** Signs the person at the provider in again. */
const throughProvider = async (...amr: string[]): Promise<Api> => {
  namingMethods(...amr);
  const browser = createBrowser();
  await browser.signIn(system.baseUrl, '?reauthenticate=true');
  return apiOf(browser);
};

/** A member whose account has a password and an identity, and no factor. */
const linkedMember = async () => {
  const { account, api } = await newMember();
  await setUpApp(api);
  const subject = randomUUID();
  provider.state.person = { sub: subject };
  await linkPerson({ baseUrl: system.baseUrl, api });
  expect((await api('DELETE', '/api/auth/totp')).status).toBe(204);
  return { account, subject };
};

describe('an operator who has to set up a factor', () => {
  it('does that and nothing else: no factor is renamed or removed', async () => {
    const { api } = await newMember();
    const requests: [string, string, object?][] = [
      ['GET', '/api/companies'],
      ['DELETE', '/api/auth/totp'],
      ['PATCH', `/api/auth/passkeys/${randomUUID()}`, { name: 'Mine' }],
      ['DELETE', `/api/auth/passkeys/${randomUUID()}`],
      ['POST', '/api/auth/identities'],
      ['PUT', '/api/auth/password', { currentPassword: password, newPassword: password }],
    ];
    for (const [method, path, body] of requests) {
      expect(codeOf(await api(method, path, { body }))).toEqual(enrolFirst);
    }
    await setUpApp(api);
    expect((await api('GET', '/api/companies')).status).toBe(200);
  });

  it('accepts no invite before', async () => {
    const { account, api } = await newMember();
    const body = { token: await inviteTo(await makeCompany(), account.email) };
    expect(codeOf(await api('POST', '/api/auth/invites/accept', { body }))).toEqual(enrolFirst);
    await setUpApp(api);
    expect((await api('POST', '/api/auth/invites/accept', { body })).status).toBe(200);
  });
});

describe('a password that somebody else knows', () => {
  it('sets up no factor for an account with an identity, confirmed or not; the identity does', async () => {
    const { account, subject } = await linkedMember();
    const thief = system.as(await signIn(account));
    expect(codeOf(await thief('POST', '/api/auth/totp'))).toEqual(proveAgain);
    const again = await thief('POST', '/api/auth/reauthenticate', { body: { password } });
    expect(again.status).toBe(204);
    for (const path of ['/api/auth/totp', '/api/auth/passkeys/options']) {
      expect(codeOf(await thief('POST', path))).toEqual(proveAgain);
    }
    provider.state.person = { sub: subject };
    const owner = await throughProvider('mfa');
    expect((await owner('POST', '/api/auth/totp')).status).toBe(200);
  });

  it('sets up no factor for an account with a passkey', async () => {
    const { account, api } = await newMember();
    await addPasskey(api, system.baseUrl);
    const thief = system.as(await signIn(account));
    expect(codeOf(await thief('POST', '/api/auth/totp'))).toEqual(proveAgain);
  });
});

describe('OIDC_REQUIRE_AMR', () => {
  it.each<[string[], (number | string | undefined)[]]>([
    [
      ['pwd', 'mfa'],
      [200, undefined],
    ],
    [['hwk'], [200, undefined]],
    [['pwd'], enrolFirst],
    [[], enrolFirst],
  ])('a sign-in with the methods %j is %j', async (amr, expected) => {
    const { subject } = await linkedMember();
    provider.state.person = { sub: subject };
    const api = await throughProvider(...amr);
    expect(codeOf(await api('GET', '/api/companies'))).toEqual(expected);
  });

  it('holds for an existing account that accepts an invite through the provider', async () => {
    const { account, subject } = await linkedMember();
    const other = await makeCompany();
    const token = await inviteTo(other, account.email);
    const accept = async (...amr: string[]) => {
      provider.state.person = { sub: subject };
      namingMethods(...amr);
      const page = system.as({ origin: system.baseUrl });
      const begun = await page('POST', '/api/auth/invites/oidc', { body: { token } });
      const { url, browser } = await beginWith(system.baseUrl, begun);
      return browser.visit(await browser.toCallback(url));
    };
    const refused = await accept('pwd');
    expect(refused.location).toContain('error=second_factor_enrolment_required');
    const accepted = await accept('mfa');
    expect(accepted.location).toBe(`${system.baseUrl}/`);
  });
});

describe('changing the password', () => {
  const newPassword = 'seven tall ships in the fog';
  const current = async (api: Api) => {
    const { body } = await api('GET', '/api/auth/sessions');
    const { items } = body as { items: { id: string; current: boolean }[] };
    return items.find((item) => item.current);
  };

  it('keeps how and when the session was signed in, its end, and its factor', async () => {
    const { account, api } = await newMember();
    const device = await addPasskey(api, system.baseUrl);
    const { baseUrl } = system;
    const headers = await signInWithPasskey(baseUrl, device);
    const byPasskey = system.as(headers);
    const before = await current(byPasskey);
    const body = { currentPassword: password, newPassword };
    const changed = await byPasskey('PUT', '/api/auth/password', { body });
    expect(changed.status).toBe(204);
    const [line = ''] = changed.headers.getSetCookie();
    const renewed = system.as({ cookie: line.split(';')[0] ?? '', origin: baseUrl });
    const after = await current(renewed);
    const { id, expiresAt: _before, lastSeenAt: _seen, ...kept } = before as never as Session;
    expect(after).toMatchObject({ ...kept, signInMethod: 'passkey' });
    expect(after?.id).not.toBe(id);
    expect((await renewed('GET', '/api/companies')).status).toBe(200);
    const signedIn = await signIn({ ...account, password: newPassword });
    expect((await system.as(signedIn)('GET', '/api/auth/session')).status).toBe(200);
    // It is still one of the passkey, and ends with it.
    const path = `/api/auth/passkeys/${device.passkeyId}`;
    const another = system.as(await signInWithPasskey(baseUrl, device));
    expect((await another('DELETE', path)).status).toBe(204);
    expect((await createApi({ baseUrl, headers })('GET', '/api/auth/session')).status).toBe(401);
  });
});

type Session = {
  readonly id: string;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  readonly expiresAt: string;
};

describe('guesses', () => {
  const at = (turn: number): string => gateways[turn % gateways.length] ?? '';
  const post = (turn: number, path: string, body: object) =>
    createApi({ baseUrl: at(turn), headers: { origin: at(turn) } })('POST', path, { body });

  it('of codes are counted over all replicas: five, then even the right one is 429', async () => {
    const { account, api } = await newMember();
    const app = await setUpApp(api);
    const path = '/api/auth/login/second-factor';
    const statuses = [];
    for (let turn = 0; turn < 5; turn += 1) {
      const challenge = await challengeOf({ ...account, baseUrl: at(turn + 1) });
      statuses.push((await post(turn, path, { challenge, code: app.wrong() })).status);
    }
    for (const turn of [0, 1]) {
      const challenge = await challengeOf({ ...account, baseUrl: at(turn) });
      statuses.push((await post(turn, path, { challenge, code: await app.next() })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
  });

  it('of recovery codes are counted apart from those of codes, which go on', async () => {
    const { account, api } = await newMember();
    const app = await setUpApp(api);
    const path = '/api/auth/login/second-factor';
    const statuses = [];
    for (let turn = 0; turn < 6; turn += 1) {
      const challenge = await challengeOf({ ...account, baseUrl: at(turn) });
      const guess = { challenge, recoveryCode: 'a'.repeat(16) };
      statuses.push((await post(turn, path, guess)).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    await signInWithCode(account, app);
  });

  // The last one: nobody signs in with a passkey from this address for a minute.
  it('with passkeys are counted over all replicas: thirty a minute of an address', async () => {
    const { api } = await newMember();
    const device = await addPasskey(api, system.baseUrl);
    const response = await device.prove(system.baseUrl);
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async (_, turn) => {
        const stale = { ...response, id: Buffer.from(String(turn)).toString('base64url') };
        return (await post(turn, '/api/auth/login/passkey', { response: stale })).status;
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(30);
    for (const turn of [0, 1]) {
      expect((await post(turn, '/api/auth/login/passkey', { response })).status).toBe(429);
    }
  });
});
