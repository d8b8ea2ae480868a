import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { localOperatorId } from '@commonplace/contracts';
import { readConfig } from '@commonplace/config';
import { configSchema } from '../src/config.ts';
import { sendRequest, callerOf, echoOf, problemOf, sendRaw } from './send-request.ts';
import {
  addKey,
  addSession,
  setLocalMemberships,
  newCompany,
  startGateway,
  type TestGateway,
} from './start-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ DEPLOYMENT_MODE: 'local_trusted' });
});
afterAll(() => gateway.stop());

const send = (headers: Record<string, string>, method = 'POST', path = '/api/companies') =>
  sendRequest(gateway.port, path, { method, headers });

describe('in local trusted mode', () => {
  it('a request without a bearer is from the local operator, with or without a cookie', async () => {
    const company = newCompany();
    setLocalMemberships(gateway.data, [company]);
    const { cookie } = addSession(gateway.data);
    for (const headers of [{}, { cookie }]) {
      const response = await send(headers, 'GET', '/api/things');
      expect(callerOf(response)).toMatchObject({
        operatorId: localOperatorId,
        isAdmin: true,
        isLocal: true,
        sessionId: null,
        companies: [{ companyId: company }],
      });
      expect(echoOf(response).headers).not.toHaveProperty('cookie');
    }
  });

  it('a key authenticates its agent, and an invalid bearer is 401, never the local operator', async () => {
    const key = addKey(gateway.data);
    const asAgent = await send({ authorization: key.bearer }, 'GET', '/api/things');
    expect(callerOf(asAgent)).toMatchObject({ kind: 'agent', agentId: key.agentId });
    const invalid = await send({ authorization: 'Bearer nonsense' }, 'GET', '/api/things');
    expect(problemOf(invalid)).toEqual([401, 'invalid_token']);
  });

  it('the cookie is not forwarded to the auth service', async () => {
    const { cookie } = addSession(gateway.data);
    const response = await send({ cookie }, 'GET', '/api/auth/session');
    expect(echoOf(response).headers).not.toHaveProperty('cookie');
  });
});

describe('requests that another site makes a browser send', () => {
  it('are 421 on every route unless the Host is loopback with the port of the gateway', async () => {
    for (const host of [
      'evil.example',
      'localhost:1',
      '127.0.0.1',
      `127.0.0.1.evil.example:${gateway.port}`,
    ]) {
      expect([host, ...problemOf(await send({ host }, 'GET', '/healthz'))]).toEqual([
        host,
        421,
        'misdirected_request',
      ]);
    }
    for (const name of ['127.0.0.1', 'LOCALHOST', '[::1]']) {
      expect((await send({ host: `${name}:${gateway.port}` }, 'GET', '/healthz')).status).toBe(200);
    }
  });

  it('are 421 without a Host', async () => {
    const received = await sendRaw(gateway.port, 'GET /healthz HTTP/1.0\r\n\r\n');
    expect(received).toContain('421');
  });

  it.each(['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x_forwarded_proto', 'X-Forwarded'])(
    'are 403 through a proxy or tunnel: %s',
    async (name) => {
      const response = await send({ [name]: '203.0.113.9' }, 'GET', '/healthz');
      expect(problemOf(response)).toEqual([403, 'forwarded_request']);
    },
  );

  it.each([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:1' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('are 403 when unsafe and from another site: %p', async (headers) => {
    expect(problemOf(await send(headers))).toEqual([403, 'cross_site_request']);
    const login = await send(headers, 'POST', '/api/auth/login');
    expect(problemOf(login)).toEqual([403, 'cross_site_request']);
  });

  it('pass when unsafe and from no browser, the same origin, or the address bar', async () => {
    const own = `http://localhost:${gateway.port}`;
    const allowed = [
      {},
      { origin: own, 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
    ];
    for (const headers of allowed) {
      expect((await send(headers)).status).toBe(200);
    }
  });

  it('are 401 with an invalid bearer, whatever the site', async () => {
    const headers = { authorization: 'Bearer nonsense', origin: 'https://evil.example' };
    expect(problemOf(await send(headers))).toEqual([401, 'invalid_token']);
  });
});

describe('the configuration', () => {
  const services = { AUTH_URL: 'http://a', AGENTS_URL: 'http://b', NOTES_URL: 'http://c' };
  const names = [
    'INTERNAL_IDENTITY_SECRETS',
    'SESSION_SECRETS',
    'RUN_TOKEN_SECRETS',
    'API_KEY_PEPPERS',
  ];
  const secrets = Object.fromEntries(
    names.map((name) => [name, `${name} of thirty-two bytes and more`]),
  );
  const read = (env: Record<string, string>) =>
    readConfig(configSchema, { ...services, ...secrets, ...env });

  it('rejects local trusted mode on a public address', () => {
    for (const HOST of ['0.0.0.0', '::', '192.0.2.1', 'example.org']) {
      expect(() => read({ HOST })).toThrow(/HOST: must be a loopback address/);
    }
    expect(read({ HOST: '::1' }).DEPLOYMENT_MODE).toBe('local_trusted');
    expect(read({ HOST: '0.0.0.0', DEPLOYMENT_MODE: 'authenticated' }).HOST).toBe('0.0.0.0');
  });

  it('has no default secrets and accepts the two modes only', () => {
    expect(() => read({ SESSION_SECRETS: 'short' })).toThrow(/SESSION_SECRETS/);
    expect(() => readConfig(configSchema, services)).toThrow(/RUN_TOKEN_SECRETS/);
    expect(() => read({ DEPLOYMENT_MODE: 'none' })).toThrow(/DEPLOYMENT_MODE/);
    expect(() => read({ TRUST_PROXY: '10.0.0.0/8,nonsense' })).toThrow(/TRUST_PROXY/);
  });
});
