import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, publicRoutes } from '@commonplace/contracts';
import { declaredResponseHeaders } from './echo.ts';
import { sendRequest, problemOf } from './send-request.ts';
import { addKey, addSession, newCompany, startGateway, type TestGateway } from './start-gateway.ts';

const site = 'https://notes.example.org';
const corsOrigin = 'https://partner.example.org';

let gateway: TestGateway;
let closed: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ PUBLIC_URL: site, CORS_ORIGINS: corsOrigin });
  closed = await startGateway();
});
afterAll(() => Promise.all([gateway.stop(), closed.stop()]));

const put = (headers: Record<string, string>) =>
  sendRequest(gateway.port, `/api/things/${newId()}`, { method: 'PUT', headers });
const cookieOf = () => `__Host-${addSession(gateway.data, [newCompany()]).cookie}`;
const refused = [403, 'cross_site_request'];

describe('an unsafe request with a cookie', () => {
  it.each([
    {},
    { origin: 'https://evil.example' },
    { origin: 'http://notes.example.org' },
    { origin: corsOrigin },
    { 'sec-fetch-site': 'cross-site', origin: site },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
  ])('is 403 unless it comes from the same origin: %p', async (headers) => {
    expect(problemOf(await put({ cookie: cookieOf(), ...headers }))).toEqual(refused);
  });

  it('passes from the same origin, by either header', async () => {
    for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { origin: site }]) {
      expect((await put({ cookie: cookieOf(), ...headers })).status).toBe(200);
    }
  });

  it('with an ended session is 401 and not cross-site', async () => {
    expect(problemOf(await put({ cookie: '__Host-commonplace.sid=dead' }))[0]).toBe(401);
  });
});

describe('other requests', () => {
  it('with a bearer pass from any origin', async () => {
    const { bearer: authorization } = addKey(gateway.data);
    expect((await put({ authorization, origin: 'https://evil.example' })).status).toBe(200);
  });

  it('that only read pass from any origin', async () => {
    const headers = { cookie: cookieOf(), 'sec-fetch-site': 'cross-site' };
    expect((await sendRequest(gateway.port, '/api/things', { headers })).status).toBe(200);
  });

  it('to public routes are 403 with the Origin of another site', async () => {
    const login = (headers: Record<string, string>) =>
      sendRequest(gateway.port, '/api/auth/login', { method: 'POST', headers });
    expect(problemOf(await login({ origin: 'https://evil.example' }))).toEqual(refused);
    expect(problemOf(await login({ origin: corsOrigin }))).toEqual(refused);
    expect((await login({ origin: site })).status).toBe(200);
    expect((await login({})).status).toBe(200);
  });
});

describe('without PUBLIC_URL', () => {
  const statusFrom = async (at: TestGateway, origin: string): Promise<number> => {
    const cookie = addSession(at.data, [newCompany()]).cookie;
    const headers = { cookie, origin, host: `127.0.0.1:${at.port}` };
    return (await sendRequest(at.port, `/api/things/${newId()}`, { method: 'PUT', headers }))
      .status;
  };

  it('the public origins are 127.0.0.1 and localhost with the port, and no other', async () => {
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
      const login = await sendRequest(port, '/api/auth/login', {
        method: 'POST',
        headers: { origin: `http://${host}:${port}` },
      });
      expect([host, ...problemOf(login)]).toEqual([host, ...refused]);
    }
  });
});

describe('pages of the origins in CORS_ORIGINS', () => {
  const preflight = (port: number, origin: string, path = '/api/things') =>
    sendRequest(port, path, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'GET' },
    });

  it('get a preflight response, and pages of others do not', async () => {
    const response = await preflight(gateway.port, corsOrigin);
    expect([response.status, response.headers['access-control-allow-origin']]).toEqual([
      204,
      corsOrigin,
    ]);
    expect(response.headers['access-control-allow-methods']).toBe('GET, HEAD');
    expect(response.headers['access-control-allow-headers']).toContain('Authorization');
    expect(response.headers).not.toHaveProperty('access-control-allow-credentials');
    expect(response.headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
    expect((await preflight(gateway.port, 'https://evil.example')).status).toBe(405);
    expect((await preflight(gateway.port, corsOrigin, '/api/nothing')).status).toBe(404);
  });

  it('can read responses to a bearer, even 401, and never to a cookie', async () => {
    const { bearer: authorization } = addKey(gateway.data);
    for (const sent of [{ authorization }, { authorization: 'Bearer nonsense' }]) {
      const { headers } = await sendRequest(gateway.port, '/api/things', {
        headers: { ...sent, origin: corsOrigin },
      });
      expect(headers['access-control-allow-origin']).toBe(corsOrigin);
      expect(headers.vary).toBe('Origin');
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    }
    const byCookie = await sendRequest(gateway.port, '/api/things', {
      headers: { cookie: cookieOf(), origin: corsOrigin },
    });
    expect(byCookie.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('can send and read every header that a contract names', async () => {
    const list = (header: unknown) => String(header).split(', ');
    const { bearer: authorization } = addKey(gateway.data);
    const { headers } = await preflight(gateway.port, corsOrigin);
    const names = publicRoutes.flatMap(({ headers: named = {} }) => Object.keys(named));
    expect(list(headers['access-control-allow-headers'])).toEqual(
      expect.arrayContaining([...new Set(names)]),
    );
    const response = await sendRequest(gateway.port, '/api/things', {
      headers: { authorization, origin: corsOrigin },
    });
    // Browsers always show the first; the others are for proxies.
    const unlisted = ['Cache-Control', 'Vary', 'X-Accel-Buffering'];
    expect(list(response.headers['access-control-expose-headers'])).toEqual(
      expect.arrayContaining(declaredResponseHeaders.filter((name) => !unlisted.includes(name))),
    );
  });

  it('do not exist when it is empty: no response has a CORS header', async () => {
    const { bearer: authorization } = addKey(closed.data);
    const { headers } = await sendRequest(closed.port, '/api/things', {
      headers: { authorization, origin: corsOrigin },
    });
    expect(Object.keys(headers).filter((name) => /^(access-control-|vary$)/.test(name))).toEqual(
      [],
    );
    expect((await preflight(closed.port, corsOrigin)).status).toBe(405);
  });
});
