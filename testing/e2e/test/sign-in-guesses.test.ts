import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { queryNode } from '@commonplace/testkit';
import { createApi, type Api, type ApiResponse } from '../src/call-api.ts';
import { setUpApp, type AuthenticatorApp } from '../src/factors/authenticator-app.ts';
import { addPasskey } from '../src/factors/device.ts';
import { bodyOf } from '../src/factors/response-of.ts';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';
import { whenAvailable } from '../src/when-available.ts';
import {
  inviteMember,
  makeCompany,
  memberPassword as password,
  type NewMember,
} from '../src/world.ts';

/** Two gateways and two auth services: what is counted, or works once, is so for all of them. */
let system: TestSystem;
let gateways: readonly string[];
let invite: (email: string, role?: NewMember['role']) => Promise<Readonly<Record<string, string>>>;
let membersPath: string;

beforeAll(async () => {
  system = await startTestSystem('authenticated', {
    replicas: { gateway: 2, auth: 2 },
    isMeshed: true,
    env: { TRUST_PROXY: '127.0.0.1', RATE_LIMIT_PER_SECOND: '0' },
  });
  const { baseUrl } = system;
  gateways = system.system.processes
    .filter(({ name }) => name === 'gateway')
    .map(({ port }) => `http://127.0.0.1:${port}`);
  const board = system.as(await system.boardHeaders());
  const company = await makeCompany(board, 'Guessed', { baseUrl, withInvite: false });
  invite = (email, role = 'viewer') => inviteMember(board, company, { baseUrl, email, role });
  membersPath = `/api/companies/${company.companyId}/members`;
}, 120_000);
afterAll(() => system.stop());

const logIn = '/api/auth/login';
const secondFactor = '/api/auth/login/second-factor';
const reauthenticate = '/api/auth/reauthenticate';

/** Requests of one client, alternately through both gateways. */
const clientAt = (address: string, more: Readonly<Record<string, string>> = {}) => {
  let sent = 0;
  return ((...request: Parameters<Api>) => {
    sent += 1;
    const baseUrl = gateways[sent % gateways.length] ?? '';
    const headers = { ...more, origin: baseUrl, 'x-forwarded-for': address };
    return createApi({ baseUrl, headers })(...request);
  }) as Api;
};

type Account = {
  readonly email: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly api: Api;
};

const newAccount = async (role?: NewMember['role']): Promise<Account> => {
  const email = `${randomUUID()}@example.org`;
  const headers = await invite(email, role);
  return { email, headers, api: system.as(headers) };
};

/** An account with an app. */
const newAccountWithApp = async (): Promise<Account & { readonly app: AuthenticatorApp }> => {
  const account = await newAccount();
  return { ...account, app: await setUpApp(account.api) };
};

const challengesOf = async (api: Api, email: string, count: number): Promise<string[]> => {
  const challenges = [];
  for (let number = 0; number < count; number += 1) {
    const response = await api('POST', logIn, { body: { email, password } });
    challenges.push((bodyOf(response, 401) as { challenge: string }).challenge);
  }
  return challenges;
};

const count = (responses: readonly ApiResponse[], status: number): number =>
  responses.filter((response) => response.status === status).length;

describe('sent at once through all replicas', () => {
  it('of 28 wrong codes for one account five are checked, then not even the right one', async () => {
    const { email, app } = await newAccountWithApp();
    const api = clientAt('192.0.2.1');
    const challenges = await challengesOf(api, email, 8);
    const guesses = await Promise.all(
      challenges
        .slice(0, 7)
        .flatMap((challenge) =>
          Array.from({ length: 4 }, () =>
            api('POST', secondFactor, { body: { challenge, code: app.wrong() } }),
          ),
        ),
    );
    expect([count(guesses, 401), count(guesses, 429)]).toEqual([5, 23]);
    const body = { challenge: challenges[7], code: await app.next() };
    expect((await api('POST', secondFactor, { body })).status).toBe(429);
  });

  it.each([
    ['one challenge', 1, 4],
    ['several challenges', 4, 1],
  ])('one code signs in once, with %s', async (_name, challengeCount, times) => {
    // An account of its own: wrong codes after the right one stay counted for the next five.
    const { email, app } = await newAccountWithApp();
    const api = clientAt('192.0.2.2');
    const given = await challengesOf(api, email, challengeCount);
    const challenges = given.flatMap((challenge) => Array.from({ length: times }, () => challenge));
    const code = await app.next();
    const responses = await Promise.all(
      challenges.map((challenge) => api('POST', secondFactor, { body: { challenge, code } })),
    );
    expect([count(responses, 200), count(responses, 401)]).toEqual([1, challenges.length - 1]);
  });

  it('one recovery code signs in once', async () => {
    const { email, app } = await newAccountWithApp();
    const api = clientAt('192.0.2.3');
    const challenges = await challengesOf(api, email, 4);
    const [recoveryCode] = app.recoveryCodes;
    const responses = await Promise.all(
      challenges.map((challenge) =>
        api('POST', secondFactor, { body: { challenge, recoveryCode } }),
      ),
    );
    expect([count(responses, 200), count(responses, 401)]).toEqual([1, 3]);
  });

  it('of 12 wrong recovery codes five are checked', async () => {
    const { email } = await newAccountWithApp();
    const api = clientAt('192.0.2.4');
    const challenges = await challengesOf(api, email, 3);
    const responses = await Promise.all(
      challenges.flatMap((challenge) =>
        ['a', 'b', 'c', 'd'].map((letter) =>
          api('POST', secondFactor, { body: { challenge, recoveryCode: letter.repeat(16) } }),
        ),
      ),
    );
    expect([count(responses, 401), count(responses, 429)]).toEqual([5, 7]);
  });

  it.each<[string, (app: AuthenticatorApp) => object, number]>([
    ['passwords', () => ({ password: 'wrong' }), 429],
    ['codes', (app) => ({ password, code: app.wrong() }), 429],
    // They are counted by themselves, so that guesses do not lock out who has the app.
    ['recovery codes', () => ({ password, recoveryCode: 'a'.repeat(16) }), 204],
  ])('of 12 wrong %s to confirm a session at most five are checked', async (_, bodyFor, last) => {
    const { headers, app } = await newAccountWithApp();
    const api = clientAt(`192.0.2.${10 + Math.floor(Math.random() * 200)}`, headers);
    const guesses = [];
    for (let round = 0; round < 4; round += 1) {
      const body = bodyFor(app);
      // No more at once than passwords can be hashed: those would be 503 and not count.
      guesses.push(
        ...(await Promise.all([1, 2, 3].map(() => api('POST', reauthenticate, { body })))),
      );
    }
    expect(count(guesses, 401)).toBeLessThanOrEqual(5);
    expect(count(guesses, 401) + count(guesses, 429)).toBe(12);
    const right = { password, code: await app.next() };
    expect((await api('POST', reauthenticate, { body: right })).status).toBe(last);
  });
});

describe('who guesses learns nothing of an account', () => {
  /** All that differs by chance or by time is left out. */
  const seen = ({ status, headers, body }: ApiResponse) => {
    const { requestId: _requestId, ...rest } = body as Record<string, unknown>;
    const names = [...headers.keys()].toSorted();
    return { status, names, length: headers.get('content-length'), rest };
  };

  it('from a wrong password: with a code, a passkey, both, neither, or without an account', async () => {
    const withApp = await newAccountWithApp();
    const withPasskey = await newAccount();
    await addPasskey(withPasskey.api, system.baseUrl);
    const withBoth = await newAccountWithApp();
    await addPasskey(withBoth.api, system.baseUrl);
    const emails = [withApp, withPasskey, withBoth, await newAccount()].map(({ email }) => email);
    const responses = [];
    for (const email of [...emails, `${randomUUID()}@example.org`]) {
      const api = clientAt('192.0.2.5');
      responses.push(seen(await api('POST', logIn, { body: { email, password: 'wrong' } })));
    }
    const [first, ...others] = responses;
    expect(first?.status).toBe(401);
    expect(others).toEqual(others.map(() => first));
  });

  it('from the options of passkeys, which are made for nobody', async () => {
    const api = clientAt('192.0.2.6');
    const [first, second] = [
      await api('POST', '/api/auth/login/passkey/options'),
      await api('POST', '/api/auth/login/passkey/options'),
    ].map((response) => {
      const { options } = bodyOf(response, 200) as { options: Record<string, unknown> };
      return { ...seen(response), rest: { ...options, challenge: 'random' } };
    });
    expect(second).toEqual(first);
    expect(first?.rest).not.toHaveProperty('allowCredentials');
  });

  it('from a code with a challenge of another address: it is as if there were none', async () => {
    const { email } = await newAccountWithApp();
    const [challenge] = await challengesOf(clientAt('192.0.2.7'), email, 1);
    const other = clientAt('192.0.2.8');
    const code = '123456';
    const [foreign, invented] = [
      await other('POST', secondFactor, { body: { challenge, code } }),
      await other('POST', secondFactor, { body: { challenge: 'x'.repeat(43), code } }),
    ];
    expect(seen(foreign)).toEqual(seen(invented));
    expect(foreign.body).toMatchObject({ status: 401, code: 'challenge_expired' });
  });
});

describe('a copied cookie', () => {
  const idOf = async ({ api }: Account) =>
    (bodyOf(await api('GET', '/api/auth/session'), 200) as { operator: { id: string } }).operator
      .id;

  it('never gets what a confirmation through one gateway allows, through the other either', async () => {
    const owner = await newAccount('owner');
    const member = `${membersPath}/${await idOf(await newAccount())}`;
    await queryNode(
      system.system.databaseUrl,
      "update auth.sessions set authenticated_at = now() - interval '1 hour' where operator_id = $1",
      [await idOf(owner)],
    );
    const through = (baseUrl = '') =>
      createApi({ baseUrl, headers: { ...owner.headers, origin: baseUrl } });
    const promote = (api: Api) => api('PATCH', member, { body: { role: 'owner' } });
    const begin = (api: Api) => api('POST', '/api/auth/passkeys/options');
    const over = new AbortController();
    const outcomes = new Set<string>();
    const repeat = async (attempt: typeof promote) => {
      const thief = through(gateways[1]);
      while (!over.signal.aborted) {
        const { status, body } = await attempt(thief);
        outcomes.add(`${status} ${(body as { code?: string }).code ?? ''}`);
      }
    };
    const thieves = [promote, begin, promote, begin].map(repeat);
    // By then the other gateway remembers the cookie, and refreshes what it remembers in the background.
    await sleep(1_200);
    const api = through(gateways[0]);
    const confirm = () => api('POST', reauthenticate, { body: { password } });
    expect((await whenAvailable(confirm)).status).toBe(204);
    await sleep(1_200);
    over.abort();
    await Promise.all(thieves);
    // On a busy machine a lookup may time out: 503, which neither allows nor refuses.
    const decided = [...outcomes].filter((outcome) => !outcome.startsWith('503'));
    expect(decided.toSorted()).toEqual(['401 session_expired', '403 reauthentication_required']);
    expect((await promote(api)).status).toBe(200);
  });
});
