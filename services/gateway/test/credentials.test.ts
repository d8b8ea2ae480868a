import { createHmac } from 'node:crypto';
import { Agent } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { agentId, newId } from '@commonplace/contracts';
import { makeApiKey, type AgentCaller } from '@commonplace/identity';
import { sendRequest, callerOf, echoOf, problemOf } from './send-request.ts';
import {
  addKey,
  addRun,
  addSession,
  newCompany,
  startGateway,
  type TestGateway,
} from './start-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const get = (headers: Record<string, string>, path = '/api/things') =>
  sendRequest(gateway.port, path, { headers });
const bearer = (token: string) => get({ authorization: `Bearer ${token}` });
const invalidToken = [401, 'invalid_token'] as const;

describe('without a credential', () => {
  it('every route but public ones is 401 with a challenge', async () => {
    const response = await get({});
    expect(problemOf(response)).toEqual([401, 'credential_required']);
    expect(response.headers['www-authenticate']).toBe('Bearer');
  });

  it('credentials in the query are ignored', async () => {
    const { bearer: authorization } = addKey(gateway.data);
    const response = await get({}, `/api/things?access_token=${authorization.slice(7)}`);
    expect(problemOf(response)[0]).toBe(401);
  });
});

describe('an Authorization header that is not valid', () => {
  it.each([
    ['without Bearer', () => makeApiKey(), 'not of the form "Bearer <key>"'],
    ['with a cut-off key', () => `Bearer ${makeApiKey().slice(0, -3)}`, 'cut off or mistyped'],
    ['with a variable', () => 'Bearer ${COMMONPLACE_API_KEY}', 'neither an API key nor'],
    ['with a token of no run', () => 'Bearer e30.e30.e30', 'it has expired, or is of another'],
    ['with an unknown key', () => `Bearer ${makeApiKey()}`, 'of a run that has ended'],
  ])('%s is 401, and says what to look for without repeating it', async (_, make, reason) => {
    const authorization = make();
    const response = await get({ authorization });
    expect(problemOf(response)).toEqual(invalidToken);
    const { detail } = JSON.parse(response.text) as { detail: string };
    expect(detail).toContain(reason);
    expect(detail).not.toContain(authorization.slice(-20));
  });
});

describe('a connection with changing credentials', () => {
  it('authenticates each request by its own credential, and 401 without one', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const statusAndAgent = async (authorization: string | null) => {
      const headers = authorization === null ? {} : { authorization };
      const response = await sendRequest(gateway.port, '/api/things', { headers, agent });
      const { status } = response;
      return [status, status === 200 ? (callerOf(response) as AgentCaller).agentId : null];
    };
    const [one, other, run] = [addKey(gateway.data), addKey(gateway.data), addRun(gateway.data)];
    const sequence = [one, one, other, run, one, null, run, run, other];
    for (const owner of sequence) {
      const expected = owner === null ? [401, null] : [200, owner.agentId];
      expect(await statusAndAgent(owner?.bearer ?? null)).toEqual(expected);
      expect(await statusAndAgent(`Bearer ${makeApiKey()}`)).toEqual([401, null]);
    }
    agent.destroy();
  });
});

describe('an API key', () => {
  it('authenticates its agent', async () => {
    const key = addKey(gateway.data);
    expect(callerOf(await get({ authorization: key.bearer }))).toEqual({
      kind: 'agent',
      agentId: key.agentId,
      agentName: 'Ada',
      agentStatus: 'active',
      companyId: key.companyId,
      keyId: key.keyId,
      runId: null,
      scopes: null,
      expiresAt: null,
    });
  });

  it('or run token with fewer than all scopes passes them on in the signed identity', async () => {
    const key = addKey(gateway.data);
    gateway.data.scopes.set(key.keyId, ['notes:read']);
    expect(callerOf(await get({ authorization: key.bearer }))).toMatchObject({
      keyId: key.keyId,
      scopes: ['notes:read'],
    });
    const run = addRun(gateway.data);
    gateway.data.scopes.set(run.runId, ['runs:write']);
    expect(callerOf(await bearer(run.token))).toMatchObject({
      runId: run.runId,
      scopes: ['runs:write'],
    });
  });

  it('is found by the digest of an older pepper', async () => {
    const key = addKey(gateway.data, { pepper: 1 });
    expect((await get({ authorization: key.bearer })).status).toBe(200);
  });

  it('is 401 when unknown, mistyped, or expired while cached', async () => {
    expect(problemOf(await bearer(makeApiKey()))).toEqual(invalidToken);
    expect(problemOf(await bearer(`${makeApiKey().slice(0, -1)}!`))).toEqual(invalidToken);
    const soonMs = Date.now() + 1_500;
    const key = addKey(gateway.data, { expiresAt: new Date(soonMs).toISOString() });
    expect((await get({ authorization: key.bearer })).status).toBe(200);
    // Before it ends, so that it is cached then.
    await new Promise((resolve) => setTimeout(resolve, soonMs - 300 - Date.now()));
    await get({ authorization: key.bearer });
    await new Promise((resolve) => setTimeout(resolve, soonMs + 10 - Date.now()));
    expect(problemOf(await get({ authorization: key.bearer }))).toEqual(invalidToken);
  });

  it('needs no lookup when its checksum is wrong', async () => {
    const lookupsOf = async (key: string): Promise<number> => {
      const flipped = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
      const before = gateway.data.lookups.length;
      await bearer(flipped);
      return gateway.data.lookups.length - before;
    };
    // A key that another test used may be verified again at the same time.
    const counts = [];
    for (let attempt = 0; attempt < 3; attempt += 1) {
      counts.push(await lookupsOf(makeApiKey()));
    }
    expect(Math.min(...counts)).toBe(0);
  });
});

describe('a run JWT', () => {
  it('that an auth process with a fast clock signed is accepted, or 503 beyond the tolerance', async () => {
    const signedAhead = (seconds: number) => {
      const issuedAtSeconds = Math.floor(Date.now() / 1000) + seconds;
      return addRun(gateway.data, { issuedAtSeconds, expiresAtSeconds: issuedAtSeconds + 900 });
    };
    expect((await bearer(signedAhead(8).token)).status).toBe(200);
    const refused = await bearer(signedAhead(60).token);
    expect(problemOf(refused)).toEqual([503, 'service_unavailable']);
    expect(refused.headers['retry-after']).toBe('5');
  });

  it('authenticates the agent of the run', async () => {
    const run = addRun(gateway.data);
    expect(callerOf(await bearer(run.token))).toMatchObject({
      agentId: run.agentId,
      companyId: run.companyId,
      keyId: null,
      runId: run.runId,
    });
  });

  const now = Math.floor(Date.now() / 1000);
  it.each([
    ['expired', { issuedAtSeconds: now - 900, expiresAtSeconds: now - 1 }],
    ['of another agent than its run', { agentId: agentId.parse(newId()) }],
    ['of another company than its run', { companyId: newCompany() }],
  ])('is 401 when %s', async (_title, claims) => {
    const run = addRun(gateway.data, claims);
    expect(problemOf(await bearer(run.token))).toEqual(invalidToken);
  });

  it('is 401 when its run has ended', async () => {
    const run = addRun(gateway.data);
    run.end();
    expect(problemOf(await bearer(run.token))).toEqual(invalidToken);
  });

  it('is 401 without a lookup when forged, unsigned or too long', async () => {
    const [head = '', body = ''] = addRun(gateway.data).token.split('.');
    const unsigned = Buffer.from('{"alg":"none","typ":"run+jwt"}').toString('base64url');
    const wrong = createHmac('sha256', 'another key').update(`${head}.${body}`).digest('base64url');
    const before = gateway.data.lookups.length;
    for (const token of [
      `${head}.${body}.${wrong}`,
      `${unsigned}.${body}.x`,
      `a.${'b'.repeat(5_000)}.c`,
    ]) {
      expect(problemOf(await bearer(token))).toEqual(invalidToken);
    }
    expect(gateway.data.lookups).toHaveLength(before);
  });
});

describe('an invalid bearer', () => {
  it.each([
    'Bearer',
    'Bearer ',
    'Bearer nonsense',
    'Basic b2xnYTpzZWNyZXQ=',
    'Bearer a b',
    'Bearer cpk_',
  ])('is 401 and never falls back to the cookie: %s', async (authorization) => {
    const { cookie } = addSession(gateway.data, [newCompany()]);
    const response = await get({ authorization, cookie });
    expect(problemOf(response)).toEqual(invalidToken);
    expect(response.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
  });
});

describe('a session cookie', () => {
  it('authenticates its operator, with the companies', async () => {
    const company = newCompany();
    const session = addSession(gateway.data, [company]);
    expect(callerOf(await get({ cookie: session.cookie }))).toMatchObject({
      kind: 'operator',
      operatorId: session.operatorId,
      isLocal: false,
      companies: [{ companyId: company, role: 'owner', companyStatus: 'active' }],
    });
  });

  it.each([
    [
      'ended',
      () => {
        const session = addSession(gateway.data);
        session.end();
        return session.cookie;
      },
    ],
    ['forged', () => 'commonplace.sid=s%3Aabc.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
    ['unsigned', () => 'commonplace.sid=abc'],
  ])(
    'is 401 and not cleared when %s: the browser may have the next one of the session',
    async (_title, cookie) => {
      const response = await get({ cookie: cookie() });
      expect(problemOf(response)).toEqual([401, 'session_expired']);
      expect(response.headers['set-cookie']).toBeUndefined();
    },
  );

  it('is forwarded to the auth service only, without other cookies', async () => {
    const { cookie } = addSession(gateway.data, [newCompany()]);
    const headers = { cookie: `other=1; ${cookie}; more=2` };
    expect(echoOf(await get(headers, '/api/auth/session')).headers['cookie']).toBe(cookie);
    expect(echoOf(await get(headers)).headers).not.toHaveProperty('cookie');
  });

  it('is not extended by a stream', async () => {
    const { cookie } = addSession(gateway.data, [newCompany()]);
    await get({ cookie }, '/api/things/feed');
    expect(gateway.data.lastTouch).toBe(false);
    await get({ cookie });
    expect(gateway.data.lastTouch).toBe(true);
  });

  it('has the __Host- prefix under https, where the plain name is no credential', async () => {
    const secure = await startGateway({ PUBLIC_URL: 'https://notes.example.org' });
    const { cookie } = addSession(secure.data, [newCompany()]);
    const plain = await sendRequest(secure.port, '/api/things', { headers: { cookie } });
    const prefixed = await sendRequest(secure.port, '/api/things', {
      headers: { cookie: `__Host-${cookie}` },
    });
    expect([plain.status, prefixed.status]).toEqual([401, 200]);
    expect(plain.headers['strict-transport-security']).toContain('max-age=');
    await secure.stop();
  });
});

describe('public routes', () => {
  it('ignore credentials, even invalid ones', async () => {
    const response = await sendRequest(gateway.port, '/api/auth/login', {
      method: 'POST',
      headers: { authorization: 'Bearer nonsense', cookie: 'commonplace.sid=forged' },
    });
    expect(response.status).toBe(200);
    expect(echoOf(response).headers).not.toHaveProperty('x-gateway-identity');
  });
});

describe('when the services that verify credentials are unavailable', () => {
  it('requests are 503 with Retry-After: never 401, never allowed', async () => {
    const isolated = await startGateway({
      AGENTS_URL: 'http://127.0.0.1:9',
      AUTH_URL: 'http://127.0.0.1:9',
    });
    const credentials = [
      { authorization: addKey(isolated.data).bearer },
      { authorization: addRun(isolated.data).bearer },
      { cookie: addSession(isolated.data).cookie },
    ];
    for (const headers of credentials) {
      const response = await sendRequest(isolated.port, '/api/things', { headers });
      expect(problemOf(response)).toEqual([503, 'service_unavailable']);
      expect(response.headers['retry-after']).toBe('1');
    }
    await isolated.stop();
  });

  it('an operator can log out without the agents service', async () => {
    const isolated = await startGateway({ AGENTS_URL: 'http://127.0.0.1:9' });
    const { cookie } = addSession(isolated.data);
    const response = await sendRequest(isolated.port, '/api/auth/logout', {
      method: 'POST',
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
    });
    expect(response.status).toBe(200);
    await isolated.stop();
  });
});
