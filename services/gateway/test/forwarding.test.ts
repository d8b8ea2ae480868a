import { Agent } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@commonplace/contracts';
import { ask, callerOf, echoOf, problemOf, sendRaw } from './send-request.ts';
import type { Echo } from './echo.ts';
import { giveKey, startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const read = (behave: string, authorization = giveKey(world.knowledge).bearer) =>
  ask(world.port, `/api/things/${newId()}?behave=${behave}`, { headers: { authorization } });

describe('a good request', () => {
  it('reaches its service with method, target and body as they were sent', async () => {
    const key = giveKey(world.knowledge);
    const path = `/api/things/${newId()}?a=1&b=%2F`;
    const answered = await ask(world.port, path, {
      method: 'PUT',
      headers: { authorization: key.bearer, 'content-type': 'application/json' },
      body: '{"text":"hi"}',
    });
    const echo = echoOf(answered);
    expect([echo.service, echo.method, echo.url, echo.body]).toEqual([
      'notes',
      'PUT',
      path,
      '{"text":"hi"}',
    ]);
  });

  it('carries a signed identity whose company equals the trusted header, and no credential', async () => {
    const key = giveKey(world.knowledge);
    const answered = await ask(world.port, '/api/things', {
      headers: { authorization: key.bearer, cookie: 'commonplace.sid=s%3Ax.y' },
    });
    const { headers } = echoOf(answered);
    expect(callerOf(answered)).toMatchObject({ kind: 'agent', companyId: key.companyId });
    expect(headers['x-company-id']).toBe(key.companyId);
    expect(headers).not.toHaveProperty('authorization');
    expect(headers).not.toHaveProperty('cookie');
  });

  it('goes out whole when it came chunked, also where bodies are unusual', async () => {
    const key = giveKey(world.knowledge);
    const answered = await ask(world.port, `/api/things/${newId()}`, {
      method: 'DELETE',
      headers: { authorization: key.bearer, 'transfer-encoding': 'chunked' },
      body: 'GET /internal/x HTTP/1.1\r\n\r\n',
    });
    const { body, headers } = echoOf(answered);
    expect(body).toBe('GET /internal/x HTTP/1.1\r\n\r\n');
    expect(headers['connection']).toBe('keep-alive');
  });

  it.each(['GET', 'DELETE', 'PUT'])(
    'has no body when it says nothing of one: %s',
    async (method) => {
      const { bearer } = giveKey(world.knowledge);
      const head = (path: string, connection: string) =>
        `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${world.port}\r\nAuthorization: ${bearer}\r\nConnection: ${connection}\r\n\r\n`;
      const path = `/api/things/${newId()}`;
      const received = await sendRaw(world.port, head(path, 'keep-alive') + head(path, 'close'));
      const echoes = received.match(/\{"service".*?"body":"[^"]*"\}/g) ?? [];
      const bodies = echoes.map((echo) => (JSON.parse(echo) as Echo).body);
      expect(bodies).toEqual(['', '']);
    },
  );

  it('is answered to HEAD as to GET, without the body', async () => {
    const key = giveKey(world.knowledge);
    const headers = { authorization: key.bearer };
    const answered = await ask(world.port, '/api/things', { method: 'HEAD', headers });
    expect([answered.status, answered.text]).toEqual([200, '']);
  });

  it('passes a well-formed traceparent on, and no other', async () => {
    const { bearer: authorization } = giveKey(world.knowledge);
    const good = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const traced = await ask(world.port, '/api/things', {
      headers: { authorization, traceparent: good },
    });
    expect(echoOf(traced).headers['traceparent']).toBe(good);
    const untraced = await ask(world.port, '/api/things', {
      headers: { authorization, traceparent: 'ff-garbage' },
    });
    expect(echoOf(untraced).headers).not.toHaveProperty('traceparent');
  });

  it('uses one connection to the service for many requests', async () => {
    const { bearer: authorization } = giveKey(world.knowledge);
    let connections = 0;
    world.services.notes.server.on('connection', () => (connections += 1));
    for (let count = 0; count < 20; count += 1) {
      await ask(world.port, '/api/things', { headers: { authorization } });
    }
    expect(connections).toBeLessThanOrEqual(1);
  });
});

describe('an answer', () => {
  it('loses what is not for clients: internal headers, banners, cookies of services other than auth', async () => {
    const { bearer: authorization } = giveKey(world.knowledge);
    const { headers } = await ask(world.port, '/api/things', { headers: { authorization } });
    for (const name of ['x-powered-by', 'server', 'set-cookie', 'x-gateway-identity']) {
      expect(headers).not.toHaveProperty(name);
    }
  });

  it('keeps the cookies of the auth service', async () => {
    const { headers } = await ask(world.port, '/api/auth/login', { method: 'POST' });
    expect(headers['set-cookie']).toEqual(['from-service=1']);
  });

  it('names a request id of our own making, the same the service got', async () => {
    const { bearer: authorization } = giveKey(world.knowledge);
    const answered = await ask(world.port, '/api/things', {
      headers: { authorization, 'x-request-id': 'chosen by the client' },
    });
    expect(answered.headers['x-request-id']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(echoOf(answered).headers['x-request-id']).toBe(answered.headers['x-request-id']);
  });

  it('keeps the connection of the client, or closes it when the client asked so', async () => {
    const { bearer: authorization } = giveKey(world.knowledge);
    const agent = new Agent({ keepAlive: true });
    const kept = await ask(world.port, '/api/things', { headers: { authorization }, agent });
    expect(kept.headers.connection).toBe('keep-alive');
    expect(kept.headers['keep-alive']).toBe('timeout=65');
    const closed = await ask(world.port, '/api/things', {
      headers: { authorization, connection: 'close' },
    });
    expect(closed.headers.connection).toBe('close');
    agent.destroy();
  });
});

describe('a service that fails', () => {
  it('by cutting the connection before the headers gives 503 with Retry-After', async () => {
    const answered = await read('cut');
    expect(problemOf(answered)).toEqual([503, 'service_unavailable']);
    expect(answered.headers['retry-after']).toBe('1');
  });

  it('by not answering until the deadline gives 504', async () => {
    expect(problemOf(await read('hang'))).toEqual([504, 'upstream_timeout']);
  });

  it('by speaking no HTTP gives 502', async () => {
    expect(problemOf(await read('garble'))).toEqual([502, 'bad_upstream']);
  });

  it('amid the answer cuts the connection, so that nobody takes half for the whole', async () => {
    await expect(read('cut-amid')).rejects.toMatchObject({ code: 'ECONNRESET' });
    await expect(read('cut-amid-chunks')).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('by dripping past the deadline is cut too', async () => {
    await expect(read('drip')).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('by being away gives 503', async () => {
    const away = await startWorld({ NOTES_URL: 'http://127.0.0.1:9' });
    const { bearer: authorization } = giveKey(away.knowledge);
    const answered = await ask(away.port, '/api/things', { headers: { authorization } });
    expect(problemOf(answered)).toEqual([503, 'service_unavailable']);
    await away.stop();
  });

  it('leaves no connection in use: the next request is served', async () => {
    await Promise.all(Array.from({ length: 20 }, () => read('hang')));
    expect((await read('')).status).toBe(200);
  });
});
