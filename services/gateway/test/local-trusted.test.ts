import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { localOperatorId } from '@commonplace/contracts';
import { readConfig } from '@commonplace/config';
import { configSchema } from '../src/config.ts';
import { ask, callerOf, echoOf, problemOf, sendRaw } from './send-request.ts';
import { giveKey, giveSession, joinLocally, newCompany, startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ DEPLOYMENT_MODE: 'local_trusted' });
});
afterAll(() => world.stop());

const send = (headers: Record<string, string>, method = 'POST', path = '/api/companies') =>
  ask(world.port, path, { method, headers });

describe('in local trusted mode', () => {
  it('whoever brings no bearer is the local board operator, a cookie or not', async () => {
    const company = newCompany();
    joinLocally(world.knowledge, [company]);
    const { cookie } = giveSession(world.knowledge);
    for (const headers of [{}, { cookie }]) {
      const answered = await send(headers, 'GET', '/api/things');
      expect(callerOf(answered)).toMatchObject({
        operatorId: localOperatorId,
        isAdmin: true,
        isLocal: true,
        sessionId: null,
        companies: [{ companyId: company }],
      });
      expect(echoOf(answered).headers).not.toHaveProperty('cookie');
    }
  });

  it('an agent is itself by its key, and a wrong bearer is 401, never the local operator', async () => {
    const key = giveKey(world.knowledge);
    const asAgent = await send({ authorization: key.bearer }, 'GET', '/api/things');
    expect(callerOf(asAgent)).toMatchObject({ kind: 'agent', agentId: key.agentId });
    const wrong = await send({ authorization: 'Bearer nonsense' }, 'GET', '/api/things');
    expect(problemOf(wrong)).toEqual([401, 'invalid_token']);
  });

  it('the auth service gets no cookie', async () => {
    const { cookie } = giveSession(world.knowledge);
    const answered = await send({ cookie }, 'GET', '/api/auth/session');
    expect(echoOf(answered).headers).not.toHaveProperty('cookie');
  });
});

describe('against what a browser can be made to do', () => {
  it('only a loopback Host with the own port is answered, on every route', async () => {
    for (const host of [
      'evil.example',
      'localhost:1',
      '127.0.0.1',
      `127.0.0.1.evil.example:${world.port}`,
    ]) {
      expect([host, ...problemOf(await send({ host }, 'GET', '/healthz'))]).toEqual([
        host,
        421,
        'misdirected_request',
      ]);
    }
    for (const name of ['127.0.0.1', 'LOCALHOST', '[::1]']) {
      expect((await send({ host: `${name}:${world.port}` }, 'GET', '/healthz')).status).toBe(200);
    }
  });

  it('no Host at all is not answered either', async () => {
    const answer = await sendRaw(world.port, 'GET /healthz HTTP/1.0\r\n\r\n');
    expect(answer).toContain('421');
  });

  it.each(['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x_forwarded_proto', 'X-Forwarded'])(
    'what came through a tunnel is 403: %s',
    async (name) => {
      const answered = await send({ [name]: '203.0.113.9' }, 'GET', '/healthz');
      expect(problemOf(answered)).toEqual([403, 'forwarded_request']);
    },
  );

  it.each([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:1' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('an unsafe request from another site is 403: %p', async (headers) => {
    expect(problemOf(await send(headers))).toEqual([403, 'cross_site_request']);
    const login = await send(headers, 'POST', '/api/auth/login');
    expect(problemOf(login)).toEqual([403, 'cross_site_request']);
  });

  it('an unsafe request from here passes: no browser, own page, address bar', async () => {
    const own = `http://localhost:${world.port}`;
    const fine = [
      {},
      { origin: own, 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
    ];
    for (const headers of fine) {
      expect((await send(headers)).status).toBe(200);
    }
  });

  it('a wrong bearer is judged before the site it came from', async () => {
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

  it('refuses local trust on an address that others can reach', () => {
    for (const HOST of ['0.0.0.0', '::', '192.0.2.1', 'example.org']) {
      expect(() => read({ HOST })).toThrow(/HOST: must be a loopback address/);
    }
    expect(read({ HOST: '::1' }).DEPLOYMENT_MODE).toBe('local_trusted');
    expect(read({ HOST: '0.0.0.0', DEPLOYMENT_MODE: 'authenticated' }).HOST).toBe('0.0.0.0');
  });

  it('has no default for a secret and takes exactly the two modes', () => {
    expect(() => read({ SESSION_SECRETS: 'short' })).toThrow(/SESSION_SECRETS/);
    expect(() => readConfig(configSchema, services)).toThrow(/RUN_TOKEN_SECRETS/);
    expect(() => read({ DEPLOYMENT_MODE: 'none' })).toThrow(/DEPLOYMENT_MODE/);
    expect(() => read({ TRUST_PROXY: '10.0.0.0/8,nonsense' })).toThrow(/TRUST_PROXY/);
  });
});
