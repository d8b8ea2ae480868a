import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeApiKey, makeConnectionToken } from '@commonplace/identity';
import { callerOf, sendRequest, type ReceivedResponse } from './send-request.ts';
import {
  addConnection,
  addKey,
  addRun,
  addSession,
  newCompany,
  startGateway,
  type TestGateway,
} from './start-gateway.ts';

const origin = 'http://notes.example:8080';
let gateway: TestGateway;
/** With OAUTH_AT_MCP. */
let both: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ PUBLIC_URL: origin });
  both = await startGateway({ PUBLIC_URL: origin, OAUTH_AT_MCP: 'on' });
});
afterAll(async () => {
  await gateway.stop();
  await both.stop();
});

type Headers = Readonly<Record<string, string>>;

const call = (
  path: string,
  headers: Headers,
  of: TestGateway = gateway,
): Promise<ReceivedResponse> =>
  sendRequest(of.port, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: '{}',
  });

const problemOf = async (response: Promise<ReceivedResponse>) => {
  const { status, text, headers } = await response;
  return [status, (JSON.parse(text) as { code?: string }).code, headers['www-authenticate']];
};

const metadata = (path: string) =>
  `resource_metadata="${origin}/.well-known/oauth-protected-resource${path}", scope="notes:read notes:write"`;

describe('an access token of a connection', () => {
  it('authenticates its agent at /connect/mcp, with the connection in the signed identity', async () => {
    const { bearer: authorization, ...connection } = addConnection(gateway.data);
    expect(callerOf(await call('/connect/mcp', { authorization }))).toEqual({
      kind: 'agent',
      agentId: connection.agentId,
      agentName: 'Ada',
      agentStatus: 'active',
      companyId: connection.companyId,
      keyId: null,
      runId: null,
      connection: { id: connection.connectionId, client: connection.client },
      scopes: ['notes:read'],
      expiresAt: connection.expiresAt,
    });
  });

  it('is 401 everywhere else, without a lookup', async () => {
    const { bearer: authorization } = addConnection(gateway.data);
    const before = gateway.data.lookups.length;
    for (const path of ['/mcp', '/api/messages']) {
      expect(await problemOf(call(path, { authorization }))).toEqual([
        401,
        'invalid_token',
        'Bearer error="invalid_token"',
      ]);
    }
    const read = await sendRequest(gateway.port, '/api/agents/me', { headers: { authorization } });
    expect([read.status, gateway.data.lookups.length]).toEqual([401, before]);
  });

  it('is 401 when unknown, mistyped, or expired while cached', async () => {
    const refused = [
      401,
      'invalid_token',
      `Bearer error="invalid_token", ${metadata('/connect/mcp')}`,
    ];
    const token = makeConnectionToken();
    const flipped = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0');
    for (const text of [token, flipped, 'cpc_', token.replace('cpc_', 'cpk_')]) {
      const authorization = `Bearer ${text}`;
      expect(await problemOf(call('/connect/mcp', { authorization }))).toEqual(refused);
    }
    const expiresAt = new Date(Date.now() + 1_500).toISOString();
    const { bearer: authorization } = addConnection(gateway.data, { expiresAt });
    expect((await call('/connect/mcp', { authorization })).status).toBe(200);
    await sleep(Date.parse(expiresAt) + 10 - Date.now());
    expect(await problemOf(call('/connect/mcp', { authorization }))).toEqual(refused);
  });

  it('revoked on another replica is 401 within a second, even in constant use', async () => {
    const { bearer: authorization, revoke } = addConnection(gateway.data);
    expect((await call('/connect/mcp', { authorization })).status).toBe(200);
    revoke();
    const revokedAtMs = performance.now();
    while (performance.now() - revokedAtMs < 1_000) {
      await call('/connect/mcp', { authorization });
      await sleep(20);
    }
    expect((await call('/connect/mcp', { authorization })).status).toBe(401);
  });

  it('is looked up as seldom as a key', async () => {
    const { bearer: authorization } = addConnection(gateway.data);
    await call('/connect/mcp', { authorization });
    const before = gateway.data.lookups.length;
    const startedAtMs = performance.now();
    while (performance.now() - startedAtMs < 1_000) {
      await call('/connect/mcp', { authorization });
    }
    // The last call may have taken long on a busy machine.
    const seconds = Math.ceil((performance.now() - startedAtMs) / 1_000);
    expect(gateway.data.lookups.length - before).toBeLessThanOrEqual(2 * seconds);
  });
});

describe('/connect/mcp', () => {
  it('refuses every other credential with 401, and says where its server is', async () => {
    const companyId = newCompany();
    const { cookie } = addSession(gateway.data, [companyId]);
    const invalid = [
      401,
      'invalid_token',
      `Bearer error="invalid_token", ${metadata('/connect/mcp')}`,
    ];
    for (const authorization of [
      addKey(gateway.data).bearer,
      addRun(gateway.data).bearer,
      `Bearer ${makeApiKey()}`,
      'Bearer x',
      'Basic eDp5',
    ]) {
      expect(await problemOf(call('/connect/mcp', { authorization, cookie }))).toEqual(invalid);
    }
    const missing = [401, 'credential_required', `Bearer ${metadata('/connect/mcp')}`];
    expect(await problemOf(call('/connect/mcp', {}))).toEqual(missing);
    expect(await problemOf(call('/connect/mcp', { cookie }))).toEqual(missing);
  });

  it('says to an API key where it is one', async () => {
    const { bearer: authorization } = addKey(gateway.data);
    const { text } = await call('/connect/mcp', { authorization });
    expect(text).toContain('API keys and tokens of runs are for /mcp');
  });

  it('names the same origin whatever the Host of a request', async () => {
    const response = await call('/connect/mcp', { host: 'evil.example' });
    expect(response.headers['www-authenticate']).toBe(`Bearer ${metadata('/connect/mcp')}`);
  });

  it('names no other company', async () => {
    const { bearer: authorization } = addConnection(gateway.data);
    const headers = { authorization, 'x-company-id': newCompany() };
    expect((await problemOf(call('/connect/mcp', headers)))[1]).toBe('cross_company');
  });

  it('needs a token in local trusted mode too', async () => {
    const local = await startGateway({ DEPLOYMENT_MODE: 'local_trusted', GATEWAY_URL: origin });
    try {
      const { bearer: authorization } = addConnection(local.data);
      const host = `127.0.0.1:${local.port}`;
      expect((await call('/connect/mcp', { host }, local)).headers['www-authenticate']).toBe(
        `Bearer ${metadata('/connect/mcp')}`,
      );
      expect((await call('/connect/mcp', { host, authorization }, local)).status).toBe(200);
    } finally {
      await local.stop();
    }
  });
});

describe('a subscription at /connect/mcp', () => {
  /** Opens a stream that goes on by itself; resolves with the response when it has begun. */
  const subscribe = async (authorization: string): Promise<IncomingMessage> => {
    const sent = request({
      port: gateway.port,
      host: '127.0.0.1',
      path: '/connect/mcp?behave=drip',
      method: 'POST',
      agent: false,
      headers: {
        authorization,
        'content-type': 'application/json',
        'mcp-method': 'subscriptions/listen',
      },
    });
    sent.end('{}');
    const [res] = (await once(sent, 'response')) as [IncomingMessage];
    res.on('error', () => undefined).resume();
    return res;
  };
  /** How long a stream went on after a time; the contract says one second, and a busy machine is late. */
  const endedAfterMs = async (stream: IncomingMessage, sinceMs: number): Promise<number> => {
    await once(stream, 'close');
    return Date.now() - sinceMs;
  };
  const lateMs = 3_000;

  it('ends when its access token expires, however much it is used, and others go on', async () => {
    const expiresAtMs = Date.now() + 1_000;
    const expiring = addConnection(gateway.data, {
      expiresAt: new Date(expiresAtMs).toISOString(),
    });
    const lasting = addConnection(gateway.data);
    const [stream, other] = await Promise.all([
      subscribe(expiring.bearer),
      subscribe(lasting.bearer),
    ]);
    expect([stream.statusCode, other.statusCode]).toEqual([200, 200]);
    const afterMs = await endedAfterMs(stream, expiresAtMs);
    expect(afterMs).toBeGreaterThanOrEqual(0);
    expect(afterMs).toBeLessThan(lateMs);
    expect(stream.complete).toBe(true);
    expect(other.destroyed).toBe(false);
    other.destroy();
  });

  it('ends when its connection is revoked elsewhere', async () => {
    const { bearer, revoke } = addConnection(gateway.data);
    const stream = await subscribe(bearer);
    expect(stream.statusCode).toBe(200);
    const revokedAtMs = Date.now();
    revoke();
    expect(await endedAfterMs(stream, revokedAtMs)).toBeLessThan(lateMs);
  });
});

describe('/mcp', () => {
  it('says nothing of OAuth, unless OAUTH_AT_MCP is on', async () => {
    expect(await problemOf(call('/mcp', {}))).toEqual([401, 'credential_required', 'Bearer']);
    expect(await problemOf(call('/mcp', {}, both))).toEqual([
      401,
      'credential_required',
      `Bearer ${metadata('/mcp')}`,
    ]);
  });

  it('with OAUTH_AT_MCP takes tokens that were issued for it, beside keys', async () => {
    const { bearer: authorization } = addConnection(both.data, { resource: '/mcp' });
    expect((await call('/mcp', { authorization }, both)).status).toBe(200);
    expect((await call('/mcp', { authorization: addKey(both.data).bearer }, both)).status).toBe(
      200,
    );
  });

  it('and /connect/mcp refuse a token of the other one, also while it is cached', async () => {
    for (const [resource, other] of [
      ['/mcp', '/connect/mcp'],
      ['/connect/mcp', '/mcp'],
    ] as const) {
      const { bearer: authorization } = addConnection(both.data, { resource });
      expect((await call(resource, { authorization }, both)).status).toBe(200);
      expect(await problemOf(call(other, { authorization }, both))).toEqual([
        401,
        'invalid_token',
        `Bearer error="invalid_token", ${metadata(other)}`,
      ]);
    }
  });
});
