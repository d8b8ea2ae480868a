import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createApi, type Api, type ApiResponse } from '../src/call-api.ts';
import { signIn } from '../src/sign-in.ts';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';
import { inviteMember, makeCompany, memberPassword, type CompanyWorld } from '../src/world.ts';

/** Section 4 of docs/contract.md, sessions, members and invites, through the gateway. */
let system: TestSystem;
let board: Api;
let visitor: Api;
let baseUrl: string;

beforeAll(async () => {
  system = await startTestSystem('authenticated', {
    replicas: { gateway: 1, agents: 2, auth: 2 },
    isMeshed: true,
    env: { RATE_LIMIT_PER_SECOND: '0', LOG_LEVEL: 'error' },
  });
  ({ baseUrl } = system);
  board = system.as(await system.boardHeaders());
  visitor = system.as({ origin: baseUrl });
}, 120_000);
afterAll(async () => {
  await system.stop();
});

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = ({ body }: ApiResponse) => body as Fields;
const outcome = ({ status, body }: ApiResponse) =>
  status < 400 ? String(status) : `${status} ${(body as { code: string }).code}`;
const company = (name: string): Promise<CompanyWorld> =>
  makeCompany(board, name, { baseUrl, withInvite: false });

type Role = 'viewer' | 'operator' | 'owner';
const join = async (place: CompanyWorld, email: string, role: Role) => {
  const headers = await inviteMember(board, place, { baseUrl, email, role });
  const api = system.as(headers);
  const session = fieldsOf(await api('GET', '/api/auth/session'));
  return { api, headers, id: String((session['operator'] as Fields)['id']) };
};
const invite = async (place: CompanyWorld, email: string, role: Role = 'viewer') => {
  const path = `/api/companies/${place.companyId}/invites`;
  const made = await board('POST', path, { body: { email, role } });
  expect(outcome(made)).toBe('201');
  return fieldsOf(made) as { id: string; token: string; url: string };
};
const accept = (api: Api, body: Fields) => api('POST', '/api/auth/invites/accept', { body });

describe('the last owner', () => {
  it('stays when both of two leave, are removed or demoted concurrently', async () => {
    for (const [name, leave] of [
      ['leave', (place: string, id: string, api: Api) => api('DELETE', `${place}/members/${id}`)],
      [
        'lowered',
        (place: string, id: string, api: Api) =>
          api('PATCH', `${place}/members/${id}`, { body: { role: 'viewer' } }),
      ],
    ] as const) {
      const place = await company(name);
      const path = `/api/companies/${place.companyId}`;
      const other = await join(place, `${name}@example.org`, 'owner');
      const session = fieldsOf(await board('GET', '/api/auth/session'));
      const boardId = String((session['operator'] as Fields)['id']);
      const responses = await Promise.all([
        leave(path, other.id, other.api),
        leave(path, boardId, board),
      ]);
      const outcomes = responses.map(outcome).toSorted();
      expect(outcomes[1]).toBe('409 last_owner');
      expect(outcomes[0]).toMatch(/^20[04]$/);
    }
  });

  it('does not leave the company to one whose account is in a handover', async () => {
    const place = await company('In a handover');
    const members = `/api/companies/${place.companyId}/members`;
    const other = await join(place, 'handed@example.org', 'owner');
    const session = fieldsOf(await board('GET', '/api/auth/session'));
    const leave = () =>
      board('DELETE', `${members}/${String((session['operator'] as Fields)['id'])}`);
    const handover = await board('POST', `/api/auth/operators/${other.id}/handover`);
    expect(outcome(await leave())).toBe('409 last_owner');
    const { token } = fieldsOf(handover);
    const body = { token, password: 'quiet harbours at dawn' };
    expect(outcome(await visitor('POST', '/api/auth/handovers/accept', { body }))).toBe('200');
    expect(outcome(await leave())).toBe('204');
  });
});

describe('an invite', () => {
  it("never opens an existing account: a wrong or missing session is 401, the account's own is 200", async () => {
    const [first, second] = [await company('First'), await company('Second')];
    const known = await join(first, 'known@example.org', 'viewer');
    const other = await join(first, 'other@example.org', 'viewer');
    const { token, url } = await invite(second, 'Known@Example.org', 'operator');
    expect(url).toContain(token);
    const withPassword = { token, name: 'Mallory', password: 'a brand new password 99' };
    expect(outcome(await accept(visitor, withPassword))).toBe('401 sign_in_first');
    expect(outcome(await accept(other.api, { token }))).toBe('401 sign_in_first');
    const accepted = await accept(known.api, { token });
    expect(fieldsOf(accepted)).toMatchObject({
      operator: { id: known.id },
      membership: { companyId: second.companyId, role: 'operator' },
    });
    const old = await signIn({ baseUrl, email: 'known@example.org', password: memberPassword });
    expect(old).toHaveProperty('cookie');
  });

  it('accepted again by the same operator returns the same response, because the first may be lost', async () => {
    const place = await company('Again');
    const { token } = await invite(place, 'again@example.org', 'viewer');
    const first = await accept(visitor, { token, name: 'Again', password: memberPassword });
    expect(outcome(first)).toBe('200');
    expect(outcome(await accept(visitor, { token, name: 'Again', password: memberPassword }))).toBe(
      '401 sign_in_first',
    );
    const signedIn = await signIn({
      baseUrl,
      email: 'again@example.org',
      password: memberPassword,
    });
    const again = await accept(system.as(signedIn), { token });
    expect([outcome(again), again.body]).toEqual(['200', first.body]);
    const members = `/api/companies/${place.companyId}/members`;
    const { items } = fieldsOf(await board('GET', members)) as { items: Fields[] };
    const me = items.find(({ email }) => email === 'again@example.org');
    expect(outcome(await board('DELETE', `${members}/${String(me?.['operatorId'])}`))).toBe('204');
    expect(outcome(await accept(system.as(signedIn), { token }))).toBe(
      '401 invalid_one_time_token',
    );
  });

  it('works once, also for five concurrent requests, and not after deletion', async () => {
    const place = await company('Once');
    const { token } = await invite(place, 'once@example.org');
    const body = { token, name: 'Once', password: memberPassword };
    const responses = await Promise.all(Array.from({ length: 5 }, () => accept(visitor, body)));
    expect(responses.map(outcome).toSorted()).toEqual([
      '200',
      ...Array<string>(4).fill('401 sign_in_first'),
    ]);
    const gone = await invite(place, 'gone@example.org');
    const path = `/api/companies/${place.companyId}/invites/${gone.id}`;
    expect(outcome(await board('DELETE', path))).toBe('204');
    const late = { token: gone.token, name: 'Gone', password: memberPassword };
    expect(outcome(await accept(visitor, late))).toBe('401 invalid_one_time_token');
  });

  it('is not listed with its token', async () => {
    const place = await company('Listed');
    const { token } = await invite(place, 'listed@example.org');
    const list = await board('GET', `/api/companies/${place.companyId}/invites`);
    expect(JSON.stringify(list.body)).not.toContain(token);
  });
});

describe('sessions', () => {
  it('are listed and ended, singly or all, and never those of other operators', async () => {
    const place = await company('Sessions');
    const email = 'sessions@example.org';
    const { api } = await join(place, email, 'viewer');
    const outsider = await join(place, 'outsider@example.org', 'viewer');
    const second = system.as(await signIn({ baseUrl, email, password: memberPassword }));
    const third = system.as(await signIn({ baseUrl, email, password: memberPassword }));
    const list = fieldsOf(await third('GET', '/api/auth/sessions')) as { items: Fields[] };
    const current = list.items.filter((each) => each['current'] === true);
    expect(current).toHaveLength(1);
    const [mine] = current;
    const path = `/api/auth/sessions/${String(mine?.['id'])}`;
    expect(outcome(await outsider.api('DELETE', path))).toBe('404 not_found');
    expect(outcome(await second('DELETE', path))).toBe('204');
    expect(outcome(await third('GET', '/api/auth/session'))).toBe('401 session_expired');
    expect(outcome(await second('DELETE', '/api/auth/sessions'))).toBe('204');
    expect(outcome(await second('GET', '/api/auth/session'))).toBe('200');
    expect(outcome(await api('GET', '/api/auth/session'))).toBe('401 session_expired');
  });

  it('end with a password change, except for a new one of the operator who made it', async () => {
    const email = 'changes@example.org';
    const { headers, api } = await join(await company('Change'), email, 'viewer');
    const other = system.as(await signIn({ baseUrl, email, password: memberPassword }));
    const change = (as: Api, body: Fields) => as('PUT', '/api/auth/password', { body });
    const newPassword = 'an entirely other phrase 8';
    for (const [body, expected] of [
      [{ currentPassword: 'wrong wrong wrong', newPassword }, '401 invalid_credentials'],
      [{ currentPassword: memberPassword, newPassword: 'short' }, '422 weak_password'],
      [{ currentPassword: memberPassword, newPassword: 'passwordpassword' }, '422 weak_password'],
    ] as const) {
      const refused = await change(api, body);
      expect([body.newPassword, outcome(refused)]).toEqual([body.newPassword, expected]);
    }
    const changed = await change(api, { currentPassword: memberPassword, newPassword });
    expect(outcome(changed)).toBe('204');
    const cookie = changed.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const renewed = system.as({ ...headers, cookie });
    expect(outcome(await renewed('GET', '/api/auth/session'))).toBe('200');
    for (const ended of [system.as(headers), other]) {
      expect(outcome(await ended('GET', '/api/auth/session'))).toBe('401 session_expired');
    }
    const long = Array.from({ length: 26 }, (_unused, index) => `w${index * 37}`).join(' ');
    const lengthened = { currentPassword: newPassword, newPassword: long };
    expect(outcome(await change(renewed, lengthened))).toBe('204');
    const cut = { email, password: long.slice(0, 72) };
    expect(outcome(await visitor('POST', '/api/auth/login', { body: cut }))).toBe(
      '401 invalid_credentials',
    );
  });
});

describe('signing in', () => {
  it('returns the same for an unknown email and a wrong password, and records both with their address', async () => {
    await join(await company('Login'), 'login@example.org', 'viewer');
    const login = (email: string) =>
      visitor('POST', '/api/auth/login', { body: { email, password: 'wrong wrong wrong' } });
    const [wrong, unknown] = [await login('login@example.org'), await login('nobody@example.org')];
    const textOf = ({ body }: ApiResponse) => ({ ...(body as Fields), requestId: null });
    expect(outcome(wrong)).toBe('401 invalid_credentials');
    expect(textOf(unknown)).toEqual(textOf(wrong));
    const history = fieldsOf(await board('GET', '/api/auth/activity')) as { items: Fields[] };
    expect(history.items.slice(0, 2)).toEqual([
      expect.objectContaining({ outcome: 'failure', address: '127.0.0.1' }),
      expect.objectContaining({ outcome: 'failure', address: '127.0.0.1' }),
    ]);
  });

  it('is limited after five failed attempts, also with the right password, with Retry-After', async () => {
    const email = 'throttled@example.org';
    await join(await company('Throttle'), email, 'viewer');
    const login = (password: string) =>
      visitor('POST', '/api/auth/login', { body: { email, password } });
    for (let index = 0; index < 5; index += 1) {
      expect(outcome(await login('wrong wrong wrong'))).toBe('401 invalid_credentials');
    }
    const response = await login(memberPassword);
    expect(outcome(response)).toBe('429 login_throttled');
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('from another origin is 403; without both browser headers it is a program and allowed', async () => {
    const body = { email: 'nobody@example.org', password: 'wrong wrong wrong' };
    const from = (headers: Record<string, string>) =>
      createApi({ baseUrl, headers })('POST', '/api/auth/login', { body });
    expect(outcome(await from({ origin: 'https://evil.example' }))).toBe('403 cross_site_request');
    expect(outcome(await from({ origin: 'null' }))).toBe('403 cross_site_request');
    expect(outcome(await from({}))).toBe('401 invalid_credentials');
  });

  it('has no open sign-up: setup ends with the first operator', async () => {
    const body = {
      token: 'x'.repeat(43),
      email: 'me@example.org',
      name: 'Me',
      password: memberPassword,
    };
    expect(outcome(await visitor('POST', '/api/auth/setup', { body }))).toBe('409 already_set_up');
  });
});

describe('a cookie caller', () => {
  it('makes changes only from our own pages', async () => {
    const { headers } = await join(await company('Cookie'), 'cookie@example.org', 'viewer');
    const cookie = headers['cookie'] ?? '';
    const logout = (sent: Record<string, string>) =>
      system.as({ cookie, ...sent })('POST', '/api/auth/logout');
    for (const sent of [
      {},
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: baseUrl, 'sec-fetch-site': 'cross-site' },
      { origin: baseUrl, 'sec-fetch-site': 'same-site' },
      { origin: baseUrl, 'sec-fetch-site': 'none' },
      { origin: `${baseUrl}.evil.example` },
      { referer: `${baseUrl}/` },
    ] as Record<string, string>[]) {
      expect([sent, outcome(await logout(sent))]).toEqual([sent, '403 cross_site_request']);
    }
    expect(outcome(await logout({ 'sec-fetch-site': 'same-origin' }))).toBe('204');
  });
});

describe('administrators', () => {
  it('are no members: other companies stay closed to them', async () => {
    const place = await company('Theirs');
    const path = `/api/companies/${place.companyId}`;
    const { api, id } = await join(place, 'made-owner@example.org', 'owner');
    const promote = { body: { isAdmin: true } };
    expect(outcome(await api('PATCH', `/api/auth/operators/${id}`, promote))).toBe(
      '403 administrator_only',
    );
    const session = fieldsOf(await board('GET', '/api/auth/session'));
    const boardId = String((session['operator'] as Fields)['id']);
    expect(outcome(await board('DELETE', `${path}/members/${boardId}`))).toBe('204');
    expect(outcome(await board('GET', path))).toBe('403 cross_company');
    expect(outcome(await board('GET', `/api/notes/${place.noteId}`))).toBe('403 cross_company');
    const disabled = await board('PATCH', `/api/auth/operators/${boardId}`, {
      body: { disabled: true },
    });
    expect(outcome(disabled)).toBe('409 last_administrator');
  });
});
