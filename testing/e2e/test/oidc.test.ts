import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { SignJWT, type JWTPayload } from 'jose';
import type { Api } from '../src/call-api.ts';
import { createBrowser, type PersonBrowser } from '../src/oidc/browser-of-person.ts';
import { beginWith, linkPerson } from '../src/oidc/link-person.ts';
import { plantAccount } from '../src/oidc/plant-account.ts';
import {
  clientId,
  clientSecret,
  startIdentityProvider,
  type IdentityProvider,
  type Person,
} from '../src/oidc/identity-provider.ts';
import { signIn } from '../src/sign-in.ts';
import { administrator, startTestSystem, type TestSystem } from '../src/test-system.ts';

/** Leaves a claim out. */
const without =
  (name: string) =>
  (claims: JWTPayload): JWTPayload =>
    Object.fromEntries(Object.entries(claims).filter(([each]) => each !== name));

let provider: IdentityProvider;
let system: TestSystem;
let board: Api;
let companyId: string;

beforeAll(async () => {
  provider = await startIdentityProvider();
  system = await startTestSystem('authenticated', {
    env: {
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_NAME: 'Staff sign-in',
      OIDC_ALLOWED_DOMAINS: 'staff.example.org',
    },
  });
  provider.admit(system.baseUrl);
  board = system.as(await system.boardHeaders());
  const { body } = await board('POST', '/api/companies', { body: { name: 'Guests' } });
  companyId = (body as { id: string }).id;
}, 120_000);
afterAll(async () => {
  await system.stop();
  await provider.stop();
});
afterEach(() => {
  provider.state.tamper = null;
  provider.state.intercept = null;
});

/** A new person of the allowed domain. */
const staff = (more: Partial<Person> = {}): Person => {
  const sub = randomUUID();
  return { sub, email: `${sub}@staff.example.org`, email_verified: true, name: 'Stella', ...more };
};

const codeOf = ({ body }: { readonly body: unknown }): string => (body as { code: string }).code;
const errorOf = (location: string): string | null => new URL(location).searchParams.get('error');

/** The operator whom the session of a browser belongs to; null means it has none. */
const operatorOf = async (browser: PersonBrowser) => {
  const response = await system.as({ cookie: browser.cookies(system.baseUrl) })(
    'GET',
    '/api/auth/session',
  );
  return response.status === 200
    ? (response.body as { operator: { id: string; email: string; isAdmin: boolean } }).operator
    : null;
};

/** Whether something stops working. The contract says within a second; a busy machine gets more. */
const failsSoon = async (use: () => Promise<boolean>): Promise<boolean> => {
  for (let waits = 0; waits < 60; waits += 1) {
    if (!(await use())) {
      return true;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
};

const endsSoon = (cookie: string): Promise<boolean> =>
  failsSoon(async () => (await system.as({ cookie })('GET', '/api/auth/session')).status !== 401);

/** Signs a person in with a new browser, as far as it gets. */
const attempt = async (person: Person) => {
  provider.state.person = person;
  const browser = createBrowser();
  const visit = await browser.signIn(system.baseUrl, '?returnTo=/agents');
  return { browser, visit, operator: await operatorOf(browser) };
};

const expectRefused = async (person: Person, code: string) => {
  const { visit, operator } = await attempt(person);
  expect([visit.status, errorOf(visit.location), operator]).toEqual([303, code, null]);
};

describe('a time of the sign-in that is none', () => {
  it('is refused, and no 500', async () => {
    provider.state.tamper = (claims, sign) => sign({ ...claims, auth_time: 1e15 });
    await expectRefused(staff(), 'oidc_refused');
  });
});

describe('signing in through a provider', () => {
  it('is offered by the public options', async () => {
    const { status, body } = await system.as({})('GET', '/api/auth/sign-in-options');
    expect(status).toBe(200);
    expect(body).toEqual({
      localLogin: true,
      oidc: { name: 'Staff sign-in' },
      isSetUp: true,
      passkeyOrigin: expect.stringMatching(/^http:\/\/localhost:\d+$/),
    });
  });

  it('creates an operator without rights for a verified email of an allowed domain, once', async () => {
    const person = staff();
    const first = await attempt(person);
    expect(first.visit).toMatchObject({ status: 303, location: `${system.baseUrl}/agents` });
    expect(first.operator).toMatchObject({ email: person.email, isAdmin: false });
    const second = await attempt({ ...person, email: 'moved@elsewhere.example' });
    expect(second.operator).toEqual(first.operator);
    const api = system.as({ cookie: second.browser.cookies(system.baseUrl) });
    expect((await api('GET', '/api/companies')).body).toMatchObject({ items: [] });
    const { body: sessions } = await api('GET', '/api/auth/sessions');
    expect(sessions).toMatchObject({ items: [{ signInMethod: 'oidc' }, { signInMethod: 'oidc' }] });
    const { body: history } = await api('GET', '/api/auth/activity');
    expect(history).toMatchObject({ items: [{ method: 'oidc', outcome: 'success' }, {}] });
  });

  it('leads to a path with any letters, and refuses one that no cookie can hold', async () => {
    provider.state.person = staff();
    const start = (path: string) =>
      createBrowser().signIn(system.baseUrl, `?returnTo=${encodeURIComponent(path)}`);
    const visit = await start('/\u{1F600}');
    expect(visit).toMatchObject({ status: 303, location: `${system.baseUrl}/%F0%9F%98%80` });
    const long = await system.as({})(
      'GET',
      `/api/auth/oidc/start?returnTo=${encodeURIComponent(`/${'\u{5B57}'.repeat(300)}`)}`,
    );
    expect([long.status, codeOf(long)]).toEqual([400, 'validation_failed']);
  });

  it('is no recent sign-in when the provider does not say when it was, unless it is a new one', async () => {
    const { browser } = await attempt(staff());
    const link = () =>
      system.as({ cookie: browser.cookies(system.baseUrl), origin: system.baseUrl })(
        'POST',
        '/api/auth/identities',
      );
    const api = system.as({ cookie: browser.cookies(system.baseUrl) });
    const { body: factors } = await api('GET', '/api/auth/factors');
    expect(factors).toMatchObject({ authenticatedAt: null, hasPassword: false });
    const refused = await link();
    expect([refused.status, codeOf(refused)]).toEqual([403, 'reauthentication_required']);
    await browser.signIn(system.baseUrl, '?reauthenticate=true');
    expect((await link()).status).toBe(200);
  });

  it.each<[string, (claims: JWTPayload) => JWTPayload]>([
    ['without its time', without('auth_time')],
    ['of an hour ago', (claims) => ({ ...claims, auth_time: (claims.iat ?? 0) - 3600 })],
  ])('again is refused %s, and the former session goes on', async (_, change) => {
    const { browser, operator } = await attempt(staff());
    provider.state.tamper = (claims, sign) => sign(change(claims));
    const visit = await browser.signIn(system.baseUrl, '?reauthenticate=true');
    expect(errorOf(visit.location)).toBe('oidc_refused');
    expect(await operatorOf(browser)).toEqual(operator);
  });

  it('ends the session that the browser had, also one of a password', async () => {
    const { browser } = await attempt(staff());
    const first = browser.cookies(system.baseUrl);
    await browser.signIn(system.baseUrl);
    expect(browser.cookies(system.baseUrl)).not.toBe(first);
    expect(await operatorOf(browser)).not.toBeNull();
    const byPassword =
      (await signIn({ baseUrl: system.baseUrl, ...administrator }))['cookie'] ?? '';
    const other = createBrowser();
    other.setCookie(system.baseUrl, byPassword);
    await other.signIn(system.baseUrl);
    for (const cookie of [first, byPassword]) {
      expect(await endsSoon(cookie)).toBe(true);
    }
  });

  it('works when the clock of the provider is some seconds ahead', async () => {
    provider.state.tamper = ({ iat = 0, ...claims }, sign) =>
      sign({ ...claims, iat: iat + 10, nbf: iat + 10 });
    expect((await attempt(staff())).operator).not.toBeNull();
  });

  it('works in two tabs at once', async () => {
    provider.state.person = staff();
    const browser = createBrowser();
    const start = `${system.baseUrl}/api/auth/oidc/start`;
    const first = await browser.toCallback(start);
    const second = await browser.toCallback(`${start}?returnTo=/second`);
    expect((await browser.visit(second)).location).toBe(`${system.baseUrl}/second`);
    expect((await browser.visit(first)).location).toBe(`${system.baseUrl}/`);
  });

  it('keeps at most 6 KiB of attempts in a browser, and the newest works, so that no page elsewhere fills its headers', async () => {
    provider.state.person = staff();
    const browser = createBrowser();
    const longest = `/${'"'.repeat(510)}`;
    const query = `?returnTo=${encodeURIComponent(longest)}`;
    for (let tab = 0; tab < 6; tab += 1) {
      await browser.visit(`${system.baseUrl}/api/auth/oidc/start${query}`);
    }
    const attempts = browser
      .cookies(system.baseUrl)
      .split('; ')
      .filter((pair) => pair.startsWith('commonplace.oidc.'));
    expect(attempts.length).toBeGreaterThan(1);
    expect(Math.max(...attempts.map((pair) => pair.length))).toBeLessThan(4096);
    expect(attempts.join('; ').length).toBeLessThanOrEqual(6 * 1024);
    const visit = await browser.signIn(system.baseUrl, query);
    expect(visit.location).toBe(new URL(longest, system.baseUrl).toString());
    expect(await operatorOf(browser)).not.toBeNull();
  });

  it('keeps at most four attempts in a browser', async () => {
    provider.state.person = staff();
    const browser = createBrowser();
    for (let tab = 0; tab < 9; tab += 1) {
      await browser.visit(`${system.baseUrl}/api/auth/oidc/start`);
    }
    expect(browser.cookies(system.baseUrl).match(/commonplace\.oidc\./g)).toHaveLength(4);
    expect((await browser.signIn(system.baseUrl)).location).toBe(`${system.baseUrl}/`);
  });

  it.each<[string, Partial<Person>, string]>([
    ['of an unverified email', { email_verified: false }, 'oidc_email_unverified'],
    ['of an email of another domain', { email: 'x@sub.staff.example.org' }, 'oidc_not_linked'],
    ['of the email of an account', { email: administrator.email }, 'oidc_account_exists'],
  ])('refuses a person %s', async (_, person, code) => {
    await expectRefused(staff(person), code);
  });

  it('gives programs the problem instead of a page', async () => {
    const response = await system.as({})('GET', '/api/auth/oidc/callback?state=x&code=y');
    expect([response.status, (response.body as { code: string }).code]).toEqual([
      400,
      'oidc_attempt_invalid',
    ]);
  });
});

describe('an invite', () => {
  const invite = async (email: string): Promise<string> => {
    const response = await board('POST', `/api/companies/${companyId}/invites`, {
      body: { email, role: 'operator' },
    });
    expect(response.status).toBe(201);
    return (response.body as { token: string }).token;
  };
  /** Accepts an invite as a person, through the provider. */
  const accept = async (token: string, person: Person) => {
    provider.state.person = person;
    const page = system.as({ origin: system.baseUrl });
    const response = await page('POST', '/api/auth/invites/oidc', { body: { token } });
    const { url, browser } = await beginWith(system.baseUrl, response);
    return { browser, visit: await browser.visit(await browser.toCallback(url)) };
  };

  it('is accepted by its verified email', async () => {
    const person = { sub: randomUUID(), email: 'Guest@Else.example', email_verified: true };
    const { browser } = await accept(await invite('guest@else.example'), person);
    expect(await operatorOf(browser)).toMatchObject({ email: 'guest@else.example' });
    const api = system.as({ cookie: browser.cookies(system.baseUrl) });
    expect((await api('GET', '/api/companies')).body).toMatchObject({ items: [{ id: companyId }] });
  });

  it.each<[string, Partial<Person>, string]>([
    ['another email', { email: 'other@else.example' }, 'invite_for_another_email'],
    ['its email, unverified', { email_verified: false }, 'oidc_email_unverified'],
  ])('is not accepted by %s', async (_, more, code) => {
    const email = `${randomUUID()}@else.example`;
    const person = { sub: randomUUID(), email, email_verified: true, ...more };
    const { browser, visit } = await accept(await invite(email), person);
    expect([errorOf(visit.location), await operatorOf(browser)]).toEqual([code, null]);
  });

  it('of an existing account does not open it', async () => {
    const existing = staff();
    await attempt(existing);
    const token = await invite(String(existing.email));
    const { visit } = await accept(token, { ...existing, sub: randomUUID() });
    expect(errorOf(visit.location)).toBe('oidc_account_exists');
  });
});

describe('an account registered with the email of another person', () => {
  it('is taken by the next sign-in with its verified email after a handover, and nothing planted is left', async () => {
    const person = staff();
    const eve = staff({ email: `${randomUUID()}@else.example` });
    const email = String(person.email);
    const planted = await plantAccount({ system, provider, board, email, eve });
    for (const way of ['session', 'passkey', 'identity', 'run']) {
      expect([way, await planted.uses[way]?.()]).toEqual([way, true]);
    }
    await expectRefused(person, 'oidc_account_exists');
    const path = `/api/auth/operators/${planted.operatorId}/handover`;
    const begun = await board('POST', path);
    expect(begun).toMatchObject({
      status: 201,
      body: { evicted: { passkeys: 1, identities: 1, authenticatorApp: true, password: true } },
    });
    await expectRefused({ ...person, email_verified: false }, 'oidc_email_unverified');
    const { browser, operator } = await attempt(person);
    expect(operator).toMatchObject({ id: planted.operatorId, email });
    const api = system.as({ cookie: browser.cookies(system.baseUrl) });
    expect((await api('GET', '/api/auth/factors')).body).toMatchObject({
      hasPassword: false,
      passkeys: 0,
    });
    for (const [way, use] of Object.entries(planted.uses)) {
      expect([way, await failsSoon(use)]).toEqual([way, true]);
    }
    expect((await attempt(person)).operator).toEqual(operator);
  });
});

describe('linked identities', () => {
  it('sign their operator in until they are unlinked, and belong to one operator', async () => {
    const headers = await signIn({ baseUrl: system.baseUrl, ...administrator });
    const api = system.as(headers);
    const person = { sub: randomUUID(), email: 'anything@else.example' };
    provider.state.person = person;
    expect((await linkPerson({ baseUrl: system.baseUrl, api })).location).toBe(
      `${system.baseUrl}/account`,
    );
    const { operator, browser } = await attempt(person);
    expect(operator).toMatchObject({ email: administrator.email });
    const { body } = await api('GET', '/api/auth/identities');
    const [identity] = (body as { items: { id: string; subject: string }[] }).items;
    expect(identity).toMatchObject({ subject: person.sub, issuer: provider.issuer });
    const path = `/api/auth/identities/${identity?.id ?? ''}`;
    expect((await api('DELETE', path)).status).toBe(204);
    expect(await operatorOf(browser)).toBeNull();
    expect((await attempt(person)).operator).toBeNull();
    expect((await api('DELETE', path)).status).toBe(404);
  });

  it('that are the only way to sign in stay', async () => {
    const { browser } = await attempt(staff());
    await browser.signIn(system.baseUrl, '?reauthenticate=true');
    const api = system.as({ cookie: browser.cookies(system.baseUrl), origin: system.baseUrl });
    const { body } = await api('GET', '/api/auth/identities');
    const [identity] = (body as { items: { id: string }[] }).items;
    const response = await api('DELETE', `/api/auth/identities/${identity?.id ?? ''}`);
    expect([response.status, (response.body as { code: string }).code]).toEqual([
      409,
      'last_sign_in_method',
    ]);
  });
});

describe('an attack', () => {
  it.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example/',
    'evil',
    '/%0d%0a',
    '/a\\b',
  ])('by an open redirect to %s is 400', async (returnTo) => {
    const path = `/api/auth/oidc/start?returnTo=${encodeURIComponent(returnTo === '/%0d%0a' ? '/\r\n' : returnTo)}`;
    expect((await system.as({})('GET', path)).status).toBe(400);
    const visit = await createBrowser().visit(system.baseUrl + path);
    expect([visit.status, visit.location]).toEqual([
      303,
      `${system.baseUrl}/login?error=validation_failed`,
    ]);
  });

  it.each<[string, (claims: JWTPayload) => JWTPayload]>([
    ['another issuer', (claims) => ({ ...claims, iss: 'https://evil.example' })],
    ['another audience', (claims) => ({ ...claims, aud: 'somebody-else' })],
    ['no nonce', without('nonce')],
    ['another nonce', (claims) => ({ ...claims, nonce: 'x' })],
    ['a past expiry', (claims) => ({ ...claims, exp: Math.floor(Date.now() / 1000) - 3600 })],
    ['no subject', without('sub')],
  ])('by an ID token with %s starts no session', async (_, change) => {
    provider.state.tamper = (claims, sign) => sign(change(claims));
    await expectRefused(staff(), 'oidc_refused');
  });

  it('by an ID token without signature starts no session', async () => {
    provider.state.tamper = (claims) => {
      const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      return `${encode({ alg: 'none' })}.${encode(claims)}.`;
    };
    await expectRefused(staff(), 'oidc_refused');
  });

  it('by an ID token signed with the client secret starts no session', async () => {
    provider.state.tamper = (claims) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(clientSecret));
    await expectRefused(staff(), 'oidc_refused');
  });

  it('by an ID token of another key starts no session', async () => {
    const other = await startIdentityProvider();
    provider.state.tamper = (claims) => other.sign(claims);
    await expectRefused(staff(), 'oidc_refused');
    await other.stop();
  });

  it('by a mixed-up issuer of the response starts no session', async () => {
    provider.state.person = staff();
    const browser = createBrowser();
    const callback = new URL(await browser.toCallback(`${system.baseUrl}/api/auth/oidc/start`));
    callback.searchParams.set('iss', 'https://evil.example');
    const visit = await browser.visit(callback.toString());
    expect(errorOf(visit.location)).toBe('oidc_refused');
  });

  it('by a replayed callback starts no second session, not even with the cookie', async () => {
    provider.state.person = staff();
    const browser = createBrowser();
    const callback = await browser.toCallback(`${system.baseUrl}/api/auth/oidc/start`);
    const stolen = browser.cookies(system.baseUrl);
    expect(errorOf((await browser.visit(callback)).location)).toBeNull();
    expect(errorOf((await browser.visit(callback)).location)).toBe('oidc_attempt_invalid');
    const thief = createBrowser();
    for (const pair of stolen.split('; ')) {
      thief.setCookie(system.baseUrl, pair);
    }
    expect(errorOf((await thief.visit(callback)).location)).toBe('oidc_attempt_invalid');
  });

  it('by a replayed code in a new attempt starts no session', async () => {
    provider.state.person = staff();
    const browser = createBrowser();
    const start = `${system.baseUrl}/api/auth/oidc/start`;
    const used = new URL(await browser.toCallback(start));
    await browser.visit(used.toString());
    const thief = createBrowser();
    const next = new URL(await thief.toCallback(start));
    next.searchParams.set('code', used.searchParams.get('code') ?? '');
    expect(errorOf((await thief.visit(next.toString())).location)).toBe('oidc_refused');
    expect(await operatorOf(thief)).toBeNull();
  });

  it('by a callback of another browser (login CSRF) starts no session', async () => {
    provider.state.person = staff();
    const callback = await createBrowser().toCallback(`${system.baseUrl}/api/auth/oidc/start`);
    const victim = createBrowser();
    expect(errorOf((await victim.visit(callback)).location)).toBe('oidc_attempt_invalid');
    await victim.visit(`${system.baseUrl}/api/auth/oidc/start`);
    expect(errorOf((await victim.visit(callback)).location)).toBe('oidc_attempt_invalid');
    expect(await operatorOf(victim)).toBeNull();
  });

  it('by a page that links an identity is 403', async () => {
    const headers = await system.boardHeaders();
    const evil = system.as({ ...headers, origin: 'https://evil.example' });
    const response = await evil('POST', '/api/auth/identities');
    expect([response.status, (response.body as { code: string }).code]).toEqual([
      403,
      'cross_site_request',
    ]);
  });

  it('by an error of the provider shows our words, not its', async () => {
    provider.state.person = staff();
    const browser = createBrowser();
    const callback = new URL(await browser.toCallback(`${system.baseUrl}/api/auth/oidc/start`));
    const state = callback.searchParams.get('state') ?? '';
    const url = `${system.baseUrl}/api/auth/oidc/callback?error=access_denied&error_description=%3Cscript%3E&state=${state}&iss=${encodeURIComponent(provider.issuer)}`;
    const visit = await browser.visit(url);
    expect(visit.location).toBe(`${system.baseUrl}/login?error=oidc_refused`);
    expect(visit.body).toBe('');
  });
});

describe('a provider', () => {
  it('that rotates its key signs in with the new one', async () => {
    expect((await attempt(staff())).operator).not.toBeNull();
    // Longer than unknown keys are not looked for.
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    await provider.rotateKey();
    expect((await attempt(staff())).operator).not.toBeNull();
  });

  it.each<[string, NonNullable<IdentityProvider['state']['intercept']>]>([
    ['never responds', (req) => req.url === '/token'],
    [
      'responds with 10 MB',
      (req, res) => {
        if (req.url !== '/token') {
          return false;
        }
        res.setHeader('Content-Type', 'application/json');
        res.end(`{"x":"${'x'.repeat(10 * 1024 * 1024)}"}`);
        return true;
      },
    ],
    [
      'fails',
      (req, res) => {
        if (req.url !== '/token') {
          return false;
        }
        res.statusCode = 500;
        res.end('stack');
        return true;
      },
    ],
  ])('that %s is unavailable, and nothing else is', async (_, intercept) => {
    provider.state.intercept = intercept;
    const pending = attempt(staff());
    expect((await system.as({})('GET', '/readyz')).status).toBe(200);
    const { visit } = await pending;
    expect(errorOf(visit.location)).toBe('oidc_unavailable');
  });
});
