import { createHmac } from 'node:crypto';
import { Agent } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { agentId, newId } from '@commonplace/contracts';
import { makeApiKey, type AgentCaller } from '@commonplace/identity';
import { ask, callerOf, echoOf, problemOf } from './send-request.ts';
import { giveKey, giveRun, giveSession, newCompany, startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const get = (headers: Record<string, string>, path = '/api/things') =>
  ask(world.port, path, { headers });
const bearer = (token: string) => get({ authorization: `Bearer ${token}` });
const asBearerIsRefused = [401, 'invalid_token'] as const;

describe('without a credential', () => {
  it('everything but public routes is 401 with a challenge', async () => {
    const answered = await get({});
    expect(problemOf(answered)).toEqual([401, 'credential_required']);
    expect(answered.headers['www-authenticate']).toBe('Bearer');
  });

  it('credentials in the query are none', async () => {
    const { bearer: authorization } = giveKey(world.knowledge);
    const answered = await get({}, `/api/things?access_token=${authorization.slice(7)}`);
    expect(problemOf(answered)[0]).toBe(401);
  });
});

describe('a connection that shows one credential after the other', () => {
  it('is each time whose the last one is, and nobody without one', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const statusAndAgent = async (authorization: string | null) => {
      const headers = authorization === null ? {} : { authorization };
      const answered = await ask(world.port, '/api/things', { headers, agent });
      const { status } = answered;
      return [status, status === 200 ? (callerOf(answered) as AgentCaller).agentId : null];
    };
    const [one, other, run] = [
      giveKey(world.knowledge),
      giveKey(world.knowledge),
      giveRun(world.knowledge),
    ];
    const order = [one, one, other, run, one, null, run, run, other];
    for (const shown of order) {
      const expected = shown === null ? [401, null] : [200, shown.agentId];
      expect(await statusAndAgent(shown?.bearer ?? null)).toEqual(expected);
      expect(await statusAndAgent(`Bearer ${makeApiKey()}`)).toEqual([401, null]);
    }
    agent.destroy();
  });
});

describe('an API key', () => {
  it('makes the caller its agent', async () => {
    const key = giveKey(world.knowledge);
    expect(callerOf(await get({ authorization: key.bearer }))).toEqual({
      kind: 'agent',
      agentId: key.agentId,
      agentName: 'Ada',
      agentStatus: 'active',
      companyId: key.companyId,
      keyId: key.keyId,
      runId: null,
      expiresAt: null,
    });
  });

  it('is found by the digest of an older pepper too', async () => {
    const key = giveKey(world.knowledge, { pepper: 1 });
    expect((await get({ authorization: key.bearer })).status).toBe(200);
  });

  it('is 401 when nobody knows it, when mistyped, and when it ends while remembered', async () => {
    expect(problemOf(await bearer(makeApiKey()))).toEqual(asBearerIsRefused);
    expect(problemOf(await bearer(`${makeApiKey().slice(0, -1)}!`))).toEqual(asBearerIsRefused);
    const soon = new Date(Date.now() + 200).toISOString();
    const key = giveKey(world.knowledge, { expiresAt: soon });
    expect((await get({ authorization: key.bearer })).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect(problemOf(await get({ authorization: key.bearer }))).toEqual(asBearerIsRefused);
  });

  it('costs no look-up when its checksum is wrong', async () => {
    const key = makeApiKey();
    const flipped = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
    const before = world.knowledge.asked.length;
    await bearer(flipped);
    expect(world.knowledge.asked).toHaveLength(before);
  });
});

describe('a run JWT', () => {
  it('makes the caller the agent of the run, until the token ends', async () => {
    const run = giveRun(world.knowledge);
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
    const run = giveRun(world.knowledge, claims);
    expect(problemOf(await bearer(run.token))).toEqual(asBearerIsRefused);
  });

  it('is 401 when its run has ended', async () => {
    const run = giveRun(world.knowledge);
    run.end();
    expect(problemOf(await bearer(run.token))).toEqual(asBearerIsRefused);
  });

  it('is 401 without a look-up when forged, unsigned or too long', async () => {
    const [head = '', body = ''] = giveRun(world.knowledge).token.split('.');
    const unsigned = Buffer.from('{"alg":"none","typ":"run+jwt"}').toString('base64url');
    const wrong = createHmac('sha256', 'another key').update(`${head}.${body}`).digest('base64url');
    const before = world.knowledge.asked.length;
    for (const token of [
      `${head}.${body}.${wrong}`,
      `${unsigned}.${body}.x`,
      `a.${'b'.repeat(5_000)}.c`,
    ]) {
      expect(problemOf(await bearer(token))).toEqual(asBearerIsRefused);
    }
    expect(world.knowledge.asked).toHaveLength(before);
  });
});

describe('a bearer that is not valid', () => {
  it.each([
    'Bearer',
    'Bearer ',
    'Bearer nonsense',
    'Basic b2xnYTpzZWNyZXQ=',
    'Bearer a b',
    'Bearer cpk_',
  ])('is always 401, never the cookie beside it: %s', async (authorization) => {
    const { cookie } = giveSession(world.knowledge, [newCompany()]);
    const answered = await get({ authorization, cookie });
    expect(problemOf(answered)).toEqual(asBearerIsRefused);
    expect(answered.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
  });
});

describe('a session cookie', () => {
  it('makes the caller its operator with its companies', async () => {
    const company = newCompany();
    const session = giveSession(world.knowledge, [company]);
    expect(callerOf(await get({ cookie: session.cookie }))).toMatchObject({
      kind: 'operator',
      operatorId: session.operatorId,
      isLocal: false,
      companies: [{ companyId: company, role: 'owner', companyStatus: 'active' }],
    });
  });

  it.each([
    [
      'dead',
      () => {
        const session = giveSession(world.knowledge);
        session.end();
        return session.cookie;
      },
    ],
    ['forged', () => 'commonplace.sid=s%3Aabc.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
    ['unsigned', () => 'commonplace.sid=abc'],
  ])('is 401 and cleared when %s', async (_title, cookie) => {
    const answered = await get({ cookie: cookie() });
    expect(problemOf(answered)).toEqual([401, 'session_expired']);
    expect(answered.headers['set-cookie']?.[0]).toMatch(
      /^commonplace\.sid=;.*Expires=Thu, 01 Jan 1970/,
    );
  });

  it('reaches the auth service and no other, without the cookies of other programs', async () => {
    const { cookie } = giveSession(world.knowledge, [newCompany()]);
    const headers = { cookie: `other=1; ${cookie}; more=2` };
    expect(echoOf(await get(headers, '/api/auth/session')).headers['cookie']).toBe(cookie);
    expect(echoOf(await get(headers)).headers).not.toHaveProperty('cookie');
  });

  it('is not kept alive by a stream alone', async () => {
    const { cookie } = giveSession(world.knowledge, [newCompany()]);
    await get({ cookie }, '/api/things/feed');
    expect(world.knowledge.touched).toBe(false);
    await get({ cookie });
    expect(world.knowledge.touched).toBe(true);
  });

  it('carries the __Host- prefix where the public URL is https, and the plain name is no credential', async () => {
    const secure = await startWorld({ PUBLIC_URL: 'https://notes.example.org' });
    const { cookie } = giveSession(secure.knowledge, [newCompany()]);
    const plain = await ask(secure.port, '/api/things', { headers: { cookie } });
    const prefixed = await ask(secure.port, '/api/things', {
      headers: { cookie: `__Host-${cookie}` },
    });
    expect([plain.status, prefixed.status]).toEqual([401, 200]);
    expect(plain.headers['strict-transport-security']).toContain('max-age=');
    await secure.stop();
  });
});

describe('public routes', () => {
  it('ignore credentials, bad ones too', async () => {
    const answered = await ask(world.port, '/api/auth/login', {
      method: 'POST',
      headers: { authorization: 'Bearer nonsense', cookie: 'commonplace.sid=forged' },
    });
    expect(answered.status).toBe(200);
    expect(echoOf(answered).headers).not.toHaveProperty('x-gateway-identity');
  });
});

describe('when the services that know credentials are away', () => {
  it('the answer is 503 with Retry-After: never 401, never allowed', async () => {
    const dark = await startWorld({
      AGENTS_URL: 'http://127.0.0.1:9',
      AUTH_URL: 'http://127.0.0.1:9',
    });
    const credentials = [
      { authorization: giveKey(dark.knowledge).bearer },
      { authorization: giveRun(dark.knowledge).bearer },
      { cookie: giveSession(dark.knowledge).cookie },
    ];
    for (const headers of credentials) {
      const answered = await ask(dark.port, '/api/things', { headers });
      expect(problemOf(answered)).toEqual([503, 'service_unavailable']);
      expect(answered.headers['retry-after']).toBe('1');
    }
    await dark.stop();
  });

  it('sessions still end while only the agents service is away', async () => {
    const dark = await startWorld({ AGENTS_URL: 'http://127.0.0.1:9' });
    const { cookie } = giveSession(dark.knowledge);
    const answered = await ask(dark.port, '/api/auth/logout', {
      method: 'POST',
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
    });
    expect(answered.status).toBe(200);
    await dark.stop();
  });
});
