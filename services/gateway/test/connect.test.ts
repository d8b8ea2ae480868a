import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { echoOf, problemOf, sendRequest } from './send-request.ts';
import { addSession, newCompany, startGateway, type TestGateway } from './start-gateway.ts';

let gateway: TestGateway;
let secure: TestGateway;
let local: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
  secure = await startGateway({ PUBLIC_URL: 'https://notes.example.org' });
  local = await startGateway({ DEPLOYMENT_MODE: 'local_trusted' });
});
afterAll(() => Promise.all([gateway.stop(), secure.stop(), local.stop()]));

const page = { origin: 'https://host.example', 'sec-fetch-site': 'cross-site' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const post = (headers: Record<string, string>, at = gateway) =>
  sendRequest(at.port, '/connect/token', {
    method: 'POST',
    headers: { ...form, ...headers },
    body: 'grant_type=x',
  });

describe('a route for pages of any origin', () => {
  it('may be called and read from everywhere, without credentials', async () => {
    const response = await post(page);
    expect(response.status).toBe(200);
    expect(response.headers['access-control-allow-origin']).toBe('*');
    expect(response.headers['access-control-allow-credentials']).toBeUndefined();
    expect(response.headers['access-control-expose-headers']).toContain('WWW-Authenticate');
    expect(echoOf(response).body).toBe('grant_type=x');
  });

  it('gets no cookie', async () => {
    const { cookie } = addSession(gateway.data, [newCompany()]);
    const response = await post({ ...page, cookie: `${cookie}; commonplace.consent=abc` });
    expect(echoOf(response).headers['cookie']).toBeUndefined();
  });

  it('responds to preflights, and lets pages read its 401', async () => {
    const preflight = await sendRequest(gateway.port, '/connect/things', {
      method: 'OPTIONS',
      headers: {
        ...page,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization, mcp-protocol-version',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-origin']).toBe('*');
    expect(preflight.headers['access-control-allow-credentials']).toBeUndefined();
    expect(preflight.headers['access-control-allow-methods']).toBe('GET, HEAD');
    const refused = await sendRequest(gateway.port, '/connect/things', { headers: page });
    expect(problemOf(refused)[0]).toBe(401);
    expect(refused.headers['access-control-allow-origin']).toBe('*');
  });

  it('never lets a page act by the cookie of the session', async () => {
    const { cookie } = addSession(gateway.data, [newCompany()]);
    const headers = { ...page, cookie };
    const read = await sendRequest(gateway.port, '/connect/things', { headers });
    expect(read.headers['access-control-allow-credentials']).toBeUndefined();
    const changing = { method: 'POST', headers };
    const refused = await sendRequest(gateway.port, '/connect/changes', changing);
    expect(problemOf(refused)).toEqual([403, 'cross_site_request']);
  });

  it('is closed to other pages in local trusted mode', async () => {
    const host = { host: `127.0.0.1:${local.port}` };
    expect(problemOf(await post({ ...page, ...host }, local))).toEqual([403, 'cross_site_request']);
    const response = await post(host, local);
    expect(response.status).toBe(200);
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('leaves every other route as it was', async () => {
    const headers = { ...page, 'access-control-request-method': 'GET' };
    for (const path of ['/api/things', '/connect/authorize', '/connect/consent/abc']) {
      const response = await sendRequest(gateway.port, path, { method: 'OPTIONS', headers });
      expect([path, response.headers['access-control-allow-origin']]).toEqual([path, undefined]);
    }
  });
});

describe('the cookies of a consent', () => {
  const consentOf = (prefix: string) => [
    `${prefix}.consent=a`,
    `${prefix}.consent.sig=b`,
    `${prefix}.connect=c`,
    `${prefix}.connect.sig=d`,
  ];
  const others = ['commonplace.consent.more=x', 'xcommonplace.consent=x', 'other=x'];

  it('are forwarded to the auth service by their exact names, and only where a route takes them', async () => {
    const cookie = [...others, ...consentOf('commonplace'), 'commonplace.consent=again'].join('; ');
    const begun = await sendRequest(gateway.port, '/connect/authorize?x=1', {
      headers: { cookie },
    });
    expect(echoOf(begun).headers['cookie']).toBe(consentOf('commonplace').join('; '));
    const login = await sendRequest(gateway.port, '/api/auth/login', {
      method: 'POST',
      headers: { cookie },
    });
    expect(echoOf(login).headers['cookie']).toBeUndefined();
  });

  it('have names of their own on an instance with https', async () => {
    const secured = consentOf('__Secure-commonplace');
    const cookie = [...secured, ...consentOf('commonplace')].join('; ');
    const begun = await sendRequest(secure.port, '/connect/authorize', { headers: { cookie } });
    expect(echoOf(begun).headers['cookie']).toBe(secured.join('; '));
  });

  it('come beside the session, and without one in local trusted mode', async () => {
    const { cookie } = addSession(gateway.data, []);
    const headers = { cookie: `commonplace.consent=a; ${cookie}`, accept: 'application/json' };
    const read = await sendRequest(gateway.port, '/connect/consent/abc', { headers });
    expect(echoOf(read).headers['cookie']).toBe(`${cookie}; commonplace.consent=a`);
    const there = await sendRequest(local.port, '/connect/consent/abc', {
      headers: { ...headers, host: `127.0.0.1:${local.port}` },
    });
    expect(echoOf(there).headers['cookie']).toBe('commonplace.consent=a');
  });
});
