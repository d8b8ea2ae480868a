import { Agent, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, publicRoutes } from '@commonplace/contracts';
import { until } from '@commonplace/testkit';
import { sendRequest, callerOf, echoOf, problemOf, sendRaw } from './send-request.ts';
import { declaredResponseHeaders, type Echo } from './echo.ts';
import { addKey, startGateway, type TestGateway } from './start-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const read = (behave: string, authorization = addKey(gateway.data).bearer) =>
  sendRequest(gateway.port, `/api/things/${newId()}?behave=${behave}`, {
    headers: { authorization },
  });

const mcpHeadersOf = (headers: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('mcp-')));

describe('an authorized request', () => {
  it('reaches its service with its method, target and body', async () => {
    const key = addKey(gateway.data);
    const path = `/api/things/${newId()}?a=1&b=%2F`;
    const response = await sendRequest(gateway.port, path, {
      method: 'PUT',
      headers: { authorization: key.bearer, 'content-type': 'application/json' },
      body: '{"text":"hi"}',
    });
    const echo = echoOf(response);
    expect([echo.service, echo.method, echo.url, echo.body]).toEqual([
      'notes',
      'PUT',
      path,
      '{"text":"hi"}',
    ]);
  });

  it('has a signed identity whose company equals the trusted header, and no credential', async () => {
    const key = addKey(gateway.data);
    const response = await sendRequest(gateway.port, '/api/things', {
      headers: { authorization: key.bearer, cookie: 'commonplace.sid=s%3Ax.y' },
    });
    const { headers } = echoOf(response);
    expect(callerOf(response)).toMatchObject({ kind: 'agent', companyId: key.companyId });
    expect(headers['x-company-id']).toBe(key.companyId);
    expect(headers).not.toHaveProperty('authorization');
    expect(headers).not.toHaveProperty('cookie');
  });

  it('keeps a chunked body, even with an unusual method', async () => {
    const key = addKey(gateway.data);
    const response = await sendRequest(gateway.port, `/api/things/${newId()}`, {
      method: 'DELETE',
      headers: { authorization: key.bearer, 'transfer-encoding': 'chunked' },
      body: 'GET /internal/x HTTP/1.1\r\n\r\n',
    });
    const { body, headers } = echoOf(response);
    expect(body).toBe('GET /internal/x HTTP/1.1\r\n\r\n');
    expect(headers['connection']).toBe('keep-alive');
  });

  it.each(['GET', 'DELETE', 'PUT'])(
    'has no body without Content-Length and Transfer-Encoding: %s',
    async (method) => {
      const { bearer } = addKey(gateway.data);
      const head = (path: string, connection: string) =>
        `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${gateway.port}\r\nAuthorization: ${bearer}\r\nConnection: ${connection}\r\n\r\n`;
      const path = `/api/things/${newId()}`;
      const received = await sendRaw(gateway.port, head(path, 'keep-alive') + head(path, 'close'));
      const echoes = received.match(/\{"service".*?"body":"[^"]*"\}/g) ?? [];
      const bodies = echoes.map((echo) => (JSON.parse(echo) as Echo).body);
      expect(bodies).toEqual(['', '']);
    },
  );

  it('with HEAD gets the response of GET without the body', async () => {
    const key = addKey(gateway.data);
    const headers = { authorization: key.bearer };
    const response = await sendRequest(gateway.port, '/api/things', { method: 'HEAD', headers });
    expect([response.status, response.text]).toEqual([200, '']);
  });

  it('keeps a well-formed traceparent, and no other', async () => {
    const { bearer: authorization } = addKey(gateway.data);
    const good = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const traced = await sendRequest(gateway.port, '/api/things', {
      headers: { authorization, traceparent: good },
    });
    expect(echoOf(traced).headers['traceparent']).toBe(good);
    const untraced = await sendRequest(gateway.port, '/api/things', {
      headers: { authorization, traceparent: 'ff-garbage' },
    });
    expect(echoOf(untraced).headers).not.toHaveProperty('traceparent');
  });

  it('keeps every header that a contract names, and the media type it accepts', async () => {
    const { bearer: authorization } = addKey(gateway.data);
    const names = new Set(publicRoutes.flatMap(({ headers = {} }) => Object.keys(headers)));
    expect([...names]).toEqual(expect.arrayContaining(['Prefer', 'Idempotency-Key', 'If-Match']));
    const given = Object.fromEntries(
      [...names].map((name) => [name.toLowerCase(), `value of ${name}`]),
    );
    const headers = { ...given, accept: 'text/markdown' };
    const response = await sendRequest(gateway.port, '/api/things', {
      headers: { ...headers, authorization },
    });
    expect(echoOf(response).headers).toMatchObject(headers);
  });

  it('has the headers of MCP, arguments only with a method', async () => {
    const { bearer: authorization } = addKey(gateway.data);
    const sent = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-name': 'read_note',
      'mcp-session-id': 's',
      'mcp-param-id': 'x',
      'mcp-other': 'x',
    };
    const without = await sendRequest(gateway.port, '/api/things', {
      headers: { authorization, ...sent },
    });
    const { 'mcp-param-id': argument, 'mcp-other': other, ...always } = sent;
    expect([argument, other]).toEqual(['x', 'x']);
    expect(mcpHeadersOf(echoOf(without).headers)).toEqual(always);
    const withMethod = await sendRequest(gateway.port, '/api/things', {
      headers: { authorization, ...sent, 'mcp-method': 'tools/call' },
    });
    expect(mcpHeadersOf(echoOf(withMethod).headers)).toEqual({
      ...always,
      'mcp-method': 'tools/call',
      'mcp-param-id': 'x',
    });
  });

  it('shares a connection to the service with others', async () => {
    const { bearer: authorization } = addKey(gateway.data);
    let connections = 0;
    gateway.services.notes.server.on('connection', () => (connections += 1));
    for (let count = 0; count < 20; count += 1) {
      await sendRequest(gateway.port, '/api/things', { headers: { authorization } });
    }
    expect(connections).toBeLessThanOrEqual(1);
  });
});

describe('a response', () => {
  it('has no internal headers, no server banners, and no cookies of services other than auth', async () => {
    const { bearer: authorization } = addKey(gateway.data);
    const { headers } = await sendRequest(gateway.port, '/api/things', {
      headers: { authorization },
    });
    for (const name of ['x-powered-by', 'server', 'set-cookie', 'x-gateway-identity']) {
      expect(headers).not.toHaveProperty(name);
    }
  });

  it('keeps every header that a contract names', async () => {
    expect(declaredResponseHeaders).toEqual(
      expect.arrayContaining(['Location', 'Preference-Applied', 'X-Context-Cursor', 'ETag']),
    );
    const { headers } = await read('declared-headers');
    for (const name of declaredResponseHeaders) {
      expect([name, headers[name.toLowerCase()]]).toEqual([name, `value of ${name}`]);
    }
  });

  it('keeps the cookies of the auth service', async () => {
    const { headers } = await sendRequest(gateway.port, '/api/auth/login', { method: 'POST' });
    expect(headers['set-cookie']).toEqual(['from-service=1']);
  });

  it('has a request id from the gateway, the same as the service got', async () => {
    const { bearer: authorization } = addKey(gateway.data);
    const response = await sendRequest(gateway.port, '/api/things', {
      headers: { authorization, 'x-request-id': 'chosen by the client' },
    });
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(echoOf(response).headers['x-request-id']).toBe(response.headers['x-request-id']);
  });

  it('keeps the connection of the client open unless the client requests its close', async () => {
    const { bearer: authorization } = addKey(gateway.data);
    const agent = new Agent({ keepAlive: true });
    const kept = await sendRequest(gateway.port, '/api/things', {
      headers: { authorization },
      agent,
    });
    expect(kept.headers.connection).toBe('keep-alive');
    expect(kept.headers['keep-alive']).toBe('timeout=65');
    const closed = await sendRequest(gateway.port, '/api/things', {
      headers: { authorization, connection: 'close' },
    });
    expect(closed.headers.connection).toBe('close');
    agent.destroy();
  });
});

describe('a body that the service rejects unread', () => {
  it.each([
    ['streamed, because its type is not read', 'text/plain', 'content-length'],
    ['buffered up to the limit of the route', 'application/json', 'transfer-encoding'],
  ] as const)('leaves the connection of the client usable: %s', async (_, type, framing) => {
    const { bearer: authorization } = addKey(gateway.data);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const body = 'x'.repeat(8_000_000);
    const length = framing === 'content-length' ? String(body.length) : 'chunked';
    const rejected = await sendRequest(
      gateway.port,
      `/api/things/${newId()}?behave=reject-unread`,
      {
        method: 'PUT',
        headers: { authorization, 'content-type': type, [framing]: length },
        body,
        agent,
      },
    );
    expect([rejected.status, rejected.text]).toEqual([413, '{}']);
    const next = await sendRequest(gateway.port, '/api/things', {
      headers: { authorization },
      agent,
    });
    expect(next.status).toBe(200);
    agent.destroy();
  });
});

describe('a service that fails', () => {
  it('by closing the connection before the headers gives 503 with Retry-After', async () => {
    const response = await read('cut');
    expect(problemOf(response)).toEqual([503, 'service_unavailable']);
    expect(response.headers['retry-after']).toBe('1');
  });

  it('by not responding until the deadline gives 504', async () => {
    expect(problemOf(await read('hang'))).toEqual([504, 'upstream_timeout']);
  });

  it('by sending no HTTP gives 502', async () => {
    expect(problemOf(await read('garble'))).toEqual([502, 'bad_upstream']);
  });

  it('in the middle of the response closes the connection, so that it is not mistaken for complete', async () => {
    await expect(read('cut-amid')).rejects.toMatchObject({ code: 'ECONNRESET' });
    await expect(read('cut-amid-chunks')).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('by dripping past the deadline closes the connection', async () => {
    await expect(read('drip')).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('by being unreachable gives 503', async () => {
    const isolated = await startGateway({ NOTES_URL: 'http://127.0.0.1:9' });
    const { bearer: authorization } = addKey(isolated.data);
    const response = await sendRequest(isolated.port, '/api/things', {
      headers: { authorization },
    });
    expect(problemOf(response)).toEqual([503, 'service_unavailable']);
    await isolated.stop();
  });

  it('leaks no connection: those to the service are closed, and the next request is served', async () => {
    const open = new Set<object>();
    const count = (_req: unknown, res: ServerResponse): void => {
      open.add(res);
      res.once('close', () => open.delete(res));
    };
    const { server } = gateway.services.notes;
    server.on('request', count);
    const responses = await Promise.all(Array.from({ length: 20 }, () => read('hang')));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([504]));
    await until(() => open.size === 0);
    server.off('request', count);
    expect((await read('')).status).toBe(200);
  });
});
