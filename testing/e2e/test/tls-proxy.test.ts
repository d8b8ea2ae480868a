import { once } from 'node:events';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { findFreePort } from '@commonplace/embedded-postgres';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bearer } from '../src/call-api.ts';
import { connectByScript, type Send } from '../src/connect-by-script.ts';
import { startNginx, type Nginx } from '../src/nginx.ts';
import { ping } from '../src/repeat-request.ts';
import { sendOverTls } from '../src/send-over-tls.ts';
import { administrator, startTestSystem, type TestSystem } from '../src/test-system.ts';

/** nginx from Debian, with infra/nginx/commonplace.conf, ends TLS in front of the gateway. */
const hostName = 'commonplace.test';
let system: TestSystem;
let nginx: Nginx;
let publicUrl: string;
let cookie: string;

beforeAll(async () => {
  const httpsPort = await findFreePort();
  publicUrl = `https://${hostName}:${httpsPort}`;
  system = await startTestSystem('authenticated', {
    env: { PUBLIC_URL: publicUrl, TRUST_PROXY: '127.0.0.1', RATE_LIMIT_PER_SECOND: '0' },
  });
  nginx = await startNginx({ httpsPort, hostName, gatewayUrls: [system.baseUrl] });
}, 120_000);
afterAll(async () => {
  await nginx?.stop();
  await system.stop();
});

type Sent = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Sent unchanged instead of `body`. */
  readonly raw?: string | undefined;
  /** Which address of this machine the client has. */
  readonly from?: string;
};

const bodyOf = ({ body, raw }: Sent) =>
  raw ?? (body === undefined ? undefined : JSON.stringify(body));
const headersOf = ({ headers, body }: Sent) => ({
  ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  ...headers,
});

/** Through nginx, as a client at an address of its own; without its body. */
const start = (path: string, sent: Sent): ClientRequest => {
  const { host, port } = new URL(publicUrl);
  return httpsRequest({
    host: '127.0.0.1',
    port,
    path,
    servername: hostName,
    ca: nginx.certificate,
    method: sent.method ?? 'GET',
    localAddress: sent.from ?? '127.0.0.9',
    agent: false,
    headers: { host, ...headersOf(sent) },
  });
};

const open = async (path: string, sent: Sent = {}): Promise<IncomingMessage> => {
  const req = start(path, sent);
  req.end(bodyOf(sent));
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  return res;
};

/** Past nginx, straight to the gateway. */
const openDirectly = async (path: string, sent: Sent): Promise<IncomingMessage> => {
  const req = httpRequest(system.baseUrl + path, {
    method: sent.method ?? 'GET',
    localAddress: sent.from ?? '127.0.0.5',
    agent: false,
    headers: headersOf(sent),
  });
  req.end(bodyOf(sent));
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  return res;
};

const read = async (res: IncomingMessage) => {
  const body = await text(res);
  return {
    status: res.statusCode,
    headers: res.headers,
    body: body ? JSON.parse(body) : undefined,
  };
};
const send = async (path: string, sent?: Sent) => read(await open(path, sent));

const login = (sent: Sent = {}, body: object = administrator): Sent => ({
  method: 'POST',
  body,
  ...sent,
  headers: { origin: publicUrl, ...sent.headers },
});
const loginPath = '/api/auth/login';
const wrong = { ...administrator, password: 'wrong wrong wrong' };

const newestSignIn = async () => {
  const { body } = await send('/api/auth/activity?limit=1', { headers: { cookie } });
  return body.items[0] as { outcome: string; address: string };
};

describe('a session behind a TLS-terminating proxy', () => {
  it('has a __Host- cookie, for https only, that no script reads', async () => {
    const { status, headers } = await send(loginPath, login());
    expect(status).toBe(200);
    const [setCookie = ''] = headers['set-cookie'] ?? [];
    const [pair = '', ...attributes] = setCookie.split(/;\s*/);
    expect(pair).toMatch(/^__Host-commonplace\.sid=s%3A/);
    const names = attributes.map((each) => each.toLowerCase());
    for (const needed of ['path=/', 'httponly', 'secure', 'samesite=strict']) {
      expect(names).toContain(needed);
    }
    expect(setCookie).not.toMatch(/domain=/i);
    expect(headers['strict-transport-security']).toMatch(/max-age=/);
    cookie = pair;
  });

  it('works, and allows changes only from our own origin', async () => {
    const headers = { cookie };
    expect((await send('/api/auth/session', { headers })).body.operator.email).toBe(
      administrator.email,
    );
    const create = (origin: string) =>
      send('/api/companies', {
        method: 'POST',
        body: { name: 'Ours' },
        headers: { cookie, origin },
      });
    for (const origin of [
      system.baseUrl,
      publicUrl.replace('https:', 'http:'),
      `https://${hostName}`,
      'https://evil.example',
    ]) {
      const { status, body } = await create(origin);
      expect([origin, status, body.code]).toEqual([origin, 403, 'cross_site_request']);
    }
    expect((await create(publicUrl)).status).toBe(201);
  });

  it('is rejected under the plain name of the cookie', async () => {
    const plain = cookie.replace('__Host-', '');
    const { status, body } = await send('/api/auth/session', { headers: { cookie: plain } });
    expect([status, body.code]).toEqual([401, 'credential_required']);
  });
});

describe('the address of a client', () => {
  it("is the one nginx saw, regardless of the client's headers", async () => {
    for (const forged of [
      {},
      { 'x-forwarded-for': '203.0.113.7' },
      { forwarded: 'for=203.0.113.7' },
    ]) {
      expect((await send(loginPath, login({ headers: forged }))).status).toBe(200);
      expect(await newestSignIn()).toMatchObject({ outcome: 'success', address: '127.0.0.9' });
    }
  });

  it('is that of the connection for a client that bypasses nginx: forged headers are ignored', async () => {
    const sent = login({ from: '127.0.0.5', headers: { 'x-forwarded-for': '203.0.113.7' } }, wrong);
    expect((await read(await openDirectly(loginPath, sent))).status).toBe(401);
    expect(await newestSignIn()).toMatchObject({ outcome: 'failure', address: '127.0.0.5' });
  });

  it('is the key of sign-in limits: an attacker locks no other client out', async () => {
    const statuses: unknown[] = [];
    for (let index = 0; index < 6; index += 1) {
      const forged = { 'x-forwarded-for': `203.0.113.${index}` };
      const tried = login({ from: '127.0.0.66', headers: forged }, wrong);
      statuses.push((await send(loginPath, tried)).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await send(loginPath, login({ from: '127.0.0.9' }))).status).toBe(200);
  });
});

describe('traffic through nginx', () => {
  it('uses HTTP/2 if the client supports it: streams share a connection with other requests', async () => {
    const { port, host } = new URL(publicUrl);
    const session = connectHttp2(`https://127.0.0.1:${port}`, {
      servername: hostName,
      ca: nginx.certificate,
    });
    const request = (path: string, accept: string) =>
      session.request({ ':path': path, ':authority': host, cookie, accept });
    // Over HTTP/1.1 a browser would open six connections, and have none left for the last request.
    const streams = Array.from({ length: 8 }, () =>
      request('/api/notes/changes', 'text/event-stream'),
    );
    await Promise.all(streams.map((stream) => once(stream, 'response')));
    const [headers] = (await once(
      request('/api/auth/session', 'application/json'),
      'response',
    )) as [Record<string, unknown>];
    expect([session.alpnProtocol, headers[':status']]).toEqual(['h2', 200]);
    session.destroy();
  });

  it('delivers event streams event by event', async () => {
    const headers = { cookie, origin: publicUrl };
    const stream = await open('/api/notes/changes', {
      headers: { ...headers, accept: 'text/event-stream' },
    });
    expect(stream.headers['content-type']).toContain('text/event-stream');
    stream.setEncoding('utf8');
    let seen = '';
    stream.on('data', (chunk) => {
      seen += String(chunk);
    });
    for (let round = 1; round <= 3; round += 1) {
      const id = `0198a000-0000-7000-8000-00000000000${round}`;
      const put = await send(`/api/notes/${id}`, { method: 'PUT', body: { title: 'x' }, headers });
      expect(put.status).toBe(201);
      while (seen.split('event: change').length <= round) {
        await once(stream, 'data');
      }
    }
    stream.destroy();
  });

  it("accepts bodies above nginx's default limit", async () => {
    const note = { title: 'long', content: 'x'.repeat(500_000) };
    const changes = [1, 2, 3].map((index) => ({
      mutationId: `m${index}`,
      op: 'put',
      baseRevision: null,
      note,
      id: `0198a000-0000-7000-8000-00000000001${index}`,
    }));
    const { status, body } = await send('/api/sync', {
      method: 'POST',
      body: { clientId: 'nginx', changes },
      headers: { cookie, origin: publicUrl },
    });
    expect([status, body.counts.applied]).toEqual([200, 3]);
  });

  it('is refused without a credential before the end of its body has been sent', async () => {
    const req = start('/api/sync', { method: 'POST', headers: { 'content-length': '1048576' } });
    req.on('error', () => undefined);
    req.write('{"clientId":"nginx"');
    const [res] = (await once(req, 'response')) as [IncomingMessage];
    expect(res.statusCode).toBe(401);
    req.destroy();
  });

  it('is refused by the gateway, in its words and not those of nginx', async () => {
    const { status, headers, body } = await send('/api/nowhere');
    expect([status, body.code]).toEqual([404, 'route_not_found']);
    expect(headers['content-type']).toContain('application/problem+json');
  });
});

describe('a host that connects by OAuth', () => {
  const sendByScript: Send = (...sent) =>
    sendOverTls({
      port: Number(new URL(publicUrl).port),
      hostName,
      ca: nginx.certificate,
    })(...sent);
  const documentAt = async (path: string) => (await send(path)).body as Record<string, unknown>;

  it('finds at the public address what it looks for, whichever way it looks', async () => {
    const refused = await send('/connect/mcp', { method: 'POST', body: ping });
    const path = '/.well-known/oauth-protected-resource/connect/mcp';
    expect(refused.status).toBe(401);
    expect(refused.headers['www-authenticate']).toContain(
      `resource_metadata="${publicUrl}${path}"`,
    );
    expect(await documentAt(path)).toMatchObject({
      resource: `${publicUrl}/connect/mcp`,
      authorization_servers: [`${publicUrl}/connect`],
    });
    for (const place of [
      '/.well-known/oauth-authorization-server/connect',
      '/.well-known/openid-configuration/connect',
      '/connect/.well-known/oauth-authorization-server',
      '/connect/.well-known/openid-configuration',
    ]) {
      const { issuer, ...endpoints } = await documentAt(place);
      expect([place, issuer]).toEqual([place, `${publicUrl}/connect`]);
      const addresses = Object.values(endpoints).filter((value) => typeof value === 'string');
      expect(addresses.length).toBeGreaterThan(4);
      expect(addresses.filter((each) => !each.startsWith(`${publicUrl}/connect/`))).toEqual([]);
    }
  });

  it('registers, is consented to with cookies for https only, and calls the MCP server', async () => {
    const headers = { cookie, origin: publicUrl };
    const created = await send('/api/companies', {
      method: 'POST',
      body: { name: 'Connected' },
      headers,
    });
    const companyId = String(created.body.id);
    const connection = await connectByScript(sendByScript, {
      headers,
      companyId,
      origin: publicUrl,
    });
    expect(connection.cookies).toHaveLength(4);
    for (const each of connection.cookies) {
      expect(each).toMatch(/^__Secure-commonplace\.con/);
      expect(each).toMatch(/path=\/connect\/(?:consent|authorize)\/[\w-]+; .*secure; httponly/i);
      expect(each).toMatch(/samesite=lax/i);
    }
    const called = await send('/connect/mcp', {
      method: 'POST',
      body: ping,
      headers: {
        ...bearer(connection.tokens.access_token),
        accept: 'application/json',
      },
    });
    expect([called.status, called.body]).toEqual([200, { jsonrpc: '2.0', id: 1, result: {} }]);
    expect(system.output()).not.toContain(connection.tokens.access_token);
    expect(system.output()).not.toContain(connection.tokens.refresh_token);
  });
});
