import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@commonplace/contracts';
import { ask, problemOf } from './send-request.ts';
import { giveKey, giveSession, newCompany, startWorld, type World } from './world.ts';

const site = 'https://notes.example.org';
const partner = 'https://partner.example.org';

let world: World;
let closed: World;
beforeAll(async () => {
  world = await startWorld({ PUBLIC_URL: site, CORS_ORIGINS: partner });
  closed = await startWorld();
});
afterAll(() => Promise.all([world.stop(), closed.stop()]));

const put = (headers: Record<string, string>) =>
  ask(world.port, `/api/things/${newId()}`, { method: 'PUT', headers });
const cookieOf = () => `__Host-${giveSession(world.knowledge, [newCompany()]).cookie}`;
const refused = [403, 'cross_site_request'];

describe('an unsafe request by cookie', () => {
  it.each([
    {},
    { origin: 'https://evil.example' },
    { origin: 'http://notes.example.org' },
    { origin: partner },
    { 'sec-fetch-site': 'cross-site', origin: site },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
  ])('is 403 unless a page of our own sent it: %p', async (headers) => {
    expect(problemOf(await put({ cookie: cookieOf(), ...headers }))).toEqual(refused);
  });

  it('passes from our own pages, by either sign', async () => {
    for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { origin: site }]) {
      expect((await put({ cookie: cookieOf(), ...headers })).status).toBe(200);
    }
  });

  it('with a dead session is 401 before it is cross-site', async () => {
    expect(problemOf(await put({ cookie: '__Host-commonplace.sid=dead' }))[0]).toBe(401);
  });
});

describe('other requests', () => {
  it('by bearer come from anywhere', async () => {
    const { bearer: authorization } = giveKey(world.knowledge);
    expect((await put({ authorization, origin: 'https://evil.example' })).status).toBe(200);
  });

  it('that only read need no sign', async () => {
    const headers = { cookie: cookieOf(), 'sec-fetch-site': 'cross-site' };
    expect((await ask(world.port, '/api/things', { headers })).status).toBe(200);
  });

  it('to public routes may have no foreign Origin', async () => {
    const login = (headers: Record<string, string>) =>
      ask(world.port, '/api/auth/login', { method: 'POST', headers });
    expect(problemOf(await login({ origin: 'https://evil.example' }))).toEqual(refused);
    expect(problemOf(await login({ origin: partner }))).toEqual(refused);
    expect((await login({ origin: site })).status).toBe(200);
    expect((await login({})).status).toBe(200);
  });
});

describe('without PUBLIC_URL', () => {
  const statusFrom = async (at: World, origin: string): Promise<number> => {
    const cookie = giveSession(at.knowledge, [newCompany()]).cookie;
    const headers = { cookie, origin, host: `127.0.0.1:${at.port}` };
    return (await ask(at.port, `/api/things/${newId()}`, { method: 'PUT', headers })).status;
  };

  it('our own origins are 127.0.0.1 and localhost with our port, and no other', async () => {
    const { port } = closed;
    for (const host of ['127.0.0.1', 'localhost']) {
      expect([host, await statusFrom(closed, `http://${host}:${port}`)]).toEqual([host, 200]);
    }
    const others = [
      '[::1]',
      '127.0.0.2',
      '0.0.0.0',
      '[::ffff:127.0.0.1]',
      'LOCALHOST',
      'localhost.',
    ];
    for (const host of others) {
      expect([host, await statusFrom(closed, `http://${host}:${port}`)]).toEqual([host, 403]);
      const login = await ask(port, '/api/auth/login', {
        method: 'POST',
        headers: { origin: `http://${host}:${port}` },
      });
      expect([host, ...problemOf(login)]).toEqual([host, ...refused]);
    }
  });
});

describe('pages of the origins in CORS_ORIGINS', () => {
  const preflight = (port: number, origin: string, path = '/api/things') =>
    ask(port, path, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'GET' },
    });

  it('are told what they may send, and others are not', async () => {
    const answered = await preflight(world.port, partner);
    expect([answered.status, answered.headers['access-control-allow-origin']]).toEqual([
      204,
      partner,
    ]);
    expect(answered.headers['access-control-allow-methods']).toBe('GET, HEAD');
    expect(answered.headers['access-control-allow-headers']).toContain('Authorization');
    expect(answered.headers).not.toHaveProperty('access-control-allow-credentials');
    expect(answered.headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
    expect((await preflight(world.port, 'https://evil.example')).status).toBe(405);
    expect((await preflight(world.port, partner, '/api/nothing')).status).toBe(404);
  });

  it('read answers to a bearer, good or bad, and never answers to a cookie', async () => {
    const { bearer: authorization } = giveKey(world.knowledge);
    for (const sent of [{ authorization }, { authorization: 'Bearer nonsense' }]) {
      const { headers } = await ask(world.port, '/api/things', {
        headers: { ...sent, origin: partner },
      });
      expect(headers['access-control-allow-origin']).toBe(partner);
      expect(headers.vary).toBe('Origin');
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    }
    const byCookie = await ask(world.port, '/api/things', {
      headers: { cookie: cookieOf(), origin: partner },
    });
    expect(byCookie.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('are unknown when there are none: no CORS header at all', async () => {
    const { bearer: authorization } = giveKey(closed.knowledge);
    const { headers } = await ask(closed.port, '/api/things', {
      headers: { authorization, origin: partner },
    });
    expect(Object.keys(headers).filter((name) => /^(access-control-|vary$)/.test(name))).toEqual(
      [],
    );
    expect((await preflight(closed.port, partner)).status).toBe(405);
  });
});
