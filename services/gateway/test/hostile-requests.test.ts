import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@commonplace/contracts';
import { sendRequest, echoOf, problemOf, sendRaw } from './send-request.ts';
import type { Echo } from './echo.ts';
import { addKey, startGateway, type TestGateway } from './start-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

/** Sends the lines of a raw request and returns all that the gateway sends back. */
const raw = (...lines: string[]): Promise<string> =>
  sendRaw(gateway.port, `${lines.join('\r\n')}\r\n\r\n`);
const statusOf = (received: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1]);
const statusesOf = (received: string): number[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
const echoIn = (received: string): Echo => {
  const body = received.slice(received.lastIndexOf('\r\n\r\n{') + 4);
  return JSON.parse(body.slice(0, body.lastIndexOf('}') + 1)) as Echo;
};

describe('trusted headers that a client sends', () => {
  const spoofed = [
    ['X-Company-Id', 'x-company-id'],
    ['X-Gateway-Identity', 'x-gateway-identity'],
    ['X_Company_Id', 'x_company_id'],
    ['X_Gateway_Identity', 'x_gateway_identity'],
    ['X-Client-Address', 'x-client-address'],
    ['X-Forwarded-For', 'x-forwarded-for'],
    ['Forwarded', 'forwarded'],
    ['X-HTTP-Method-Override', 'x-http-method-override'],
  ] as const;

  it('never reach a service on a public route, in any notation', async () => {
    const headers = Object.fromEntries(spoofed.map(([name]) => [name, newId()]));
    const { headers: seen } = echoOf(
      await sendRequest(gateway.port, '/api/auth/login', { method: 'POST', headers }),
    );
    for (const [name, seenAs] of spoofed) {
      expect([seenAs, seen[seenAs]]).not.toEqual([seenAs, headers[name]]);
    }
    expect(seen).not.toHaveProperty('x-company-id');
    expect(seen).not.toHaveProperty('x-gateway-identity');
  });

  it('never reach a service with Expect: 100-continue, which skips the hooks of the proxy', async () => {
    const received = await raw(
      'POST /api/auth/login HTTP/1.1',
      'Host: gateway',
      'Expect: 100-continue',
      `X-Company-Id: ${newId()}`,
      'X-Gateway-Identity: forged',
      'X_Company_Id: forged',
      'Connection: close',
      'Content-Length: 2',
      '',
      '{}',
    );
    const { headers, body } = echoIn(received);
    expect(received.startsWith('HTTP/1.1 100 Continue')).toBe(true);
    expect(body.startsWith('{}')).toBe(true);
    expect(headers).not.toHaveProperty('x-company-id');
    expect(headers).not.toHaveProperty('x-gateway-identity');
    expect(headers).not.toHaveProperty('expect');
    expect(Object.keys(headers).filter((name) => name.includes('_'))).toEqual([]);
  });

  it('cannot name another company than that of the agent', async () => {
    const key = addKey(gateway.data);
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const response = await sendRequest(gateway.port, `/api/things/${newId()}`, {
        method,
        headers: { authorization: key.bearer, 'x-company-id': newId() },
      });
      expect(problemOf(response)).toEqual([403, 'cross_company']);
    }
  });

  it('are 400 when the company is malformed or repeated', async () => {
    const key = addKey(gateway.data);
    for (const value of ['nonsense', [key.companyId, newId()], [key.companyId, key.companyId]]) {
      const headers = { authorization: key.bearer, 'x-company-id': value };
      const response = await sendRequest(gateway.port, '/api/things', { headers });
      expect(problemOf(response)).toEqual([400, 'malformed_header']);
    }
  });
});

describe('headers between client and gateway', () => {
  it('are not forwarded: Connection and what it names, Upgrade, TE and trailers', async () => {
    const key = addKey(gateway.data);
    const received = await raw(
      `PUT /api/things/${newId()} HTTP/1.1`,
      'Host: gateway',
      `Authorization: ${key.bearer}`,
      'Connection: close, If-Match, X-Company-Id, Content-Length',
      'If-Match: "1"',
      'TE: trailers',
      'Trailer: X-Company-Id',
      'Transfer-Encoding: chunked',
      '',
      '2',
      '{}',
      '0',
      `X-Company-Id: ${newId()}`,
    );
    const { headers, trailers, body } = echoIn(received);
    expect(headers).not.toHaveProperty('if-match');
    expect(headers).not.toHaveProperty('te');
    expect(headers).not.toHaveProperty('trailer');
    expect([trailers, body]).toEqual([{}, '{}']);
    expect(headers['x-company-id']).toBe(key.companyId);
  });

  it('cannot upgrade: the request gets its response, and the connection closes', async () => {
    const key = addKey(gateway.data);
    for (const protocol of ['websocket', 'h2c']) {
      const received = await raw(
        'GET /api/things HTTP/1.1',
        'Host: gateway',
        `Authorization: ${key.bearer}`,
        'Connection: Upgrade, HTTP2-Settings',
        `Upgrade: ${protocol}`,
        'HTTP2-Settings: AAMAAABk',
        '',
        'GET /api/things HTTP/1.1',
        'Host: gateway',
      );
      expect(statusesOf(received)).toEqual([200]);
      expect(received.toLowerCase()).toContain('\r\nconnection: close\r\n');
      expect(echoIn(received).headers).not.toHaveProperty('upgrade');
      expect(echoIn(received).headers).not.toHaveProperty('http2-settings');
    }
  });
});

describe('a request gets one response', () => {
  it('when unreadable bytes follow it: they get 400 after it', async () => {
    const key = addKey(gateway.data);
    const received = await raw(
      `GET /api/things/${newId()}?behave=slow HTTP/1.1`,
      'Host: gateway',
      `Authorization: ${key.bearer}`,
      '',
      'no request at all',
    );
    expect(statusesOf(received)).toEqual([200, 400]);
  });

  it('when unreadable bytes follow a stream: it is cut, and nothing is written into it', async () => {
    const { bearer } = addKey(gateway.data);
    const lines = ['GET /api/things/feed?behave=drip HTTP/1.1', 'Host: a'];
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write(`${[...lines, `Authorization: ${bearer}`].join('\r\n')}\r\n\r\n`);
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString();
    });
    await once(socket, 'data');
    socket.write('no request at all\r\n\r\n');
    await once(socket, 'close');
    expect(statusesOf(received)).toEqual([200]);
  });

  it('when its body is unreadable after it was rejected', async () => {
    const received = await raw(
      `PUT /api/things/${newId()} HTTP/1.1`,
      'Host: gateway',
      'Transfer-Encoding: chunked',
      '',
      'no chunk',
    );
    expect(statusesOf(received)).toHaveLength(1);
  });

  it('and is not executed once it was rejected, while an earlier response is pending', async () => {
    const { bearer } = addKey(gateway.data);
    const id = newId();
    const received = await raw(
      `GET /api/things/${newId()}?behave=slow HTTP/1.1`,
      'Host: gateway',
      `Authorization: ${bearer}`,
      '',
      `DELETE /api/things/${id} HTTP/1.1`,
      'Host: gateway',
      `Authorization: ${bearer}`,
      'Transfer-Encoding: chunked',
      '',
      'no chunk',
    );
    expect(statusesOf(received)).toEqual([200, 400]);
    expect(gateway.data.forwardedTargets.filter((target) => target.includes(id))).toEqual([]);
  });

  it('and it is 408 when its body does not arrive', async () => {
    const key = addKey(gateway.data);
    const received = await raw(
      `GET /api/things/${newId()} HTTP/1.1`,
      'Host: gateway',
      `Authorization: ${key.bearer}`,
      'Content-Length: 10',
    );
    expect(statusesOf(received)).toEqual([408]);
    expect(received).toContain('"code":"request_timeout"');
    expect(received).toContain('X-Content-Type-Options: nosniff');
  });
});

describe('an ambiguous request', () => {
  it.each([
    ['two Host headers', ['Host: a', 'Host: b']],
    ['no Host header', []],
    [
      'two Authorization headers',
      ['Host: a', 'Authorization: Bearer x', 'authorization: Bearer x'],
    ],
    ['a transfer coding besides chunked', ['Host: a', 'Transfer-Encoding: gzip, chunked']],
    ['a length and chunks', ['Host: a', 'Content-Length: 3', 'Transfer-Encoding: chunked']],
    ['two lengths', ['Host: a', 'Content-Length: 3', 'Content-Length: 4']],
    ['a header line without a colon', ['Host: a', 'no colon here']],
    ['a space before the colon', ['Host: a', 'X-Company-Id : x']],
  ])('is 400 and reaches no service: %s', async (_title, headers) => {
    const received = await raw('GET /healthz HTTP/1.1', ...headers, 'Connection: close');
    expect(statusOf(received)).toBe(400);
    expect(received).toContain('application/problem+json');
    expect(received.toLowerCase()).toContain('x-request-id');
  });
});

describe('targets that two parsers could understand differently', () => {
  it.each([
    'http://gateway/api/things',
    '//api/things',
    '/api//things',
    '/api/things/../auth/session',
    '/api/things/%2e%2e/auth/session',
    '/api/./things',
    '/api/things%2F1',
    '/api/things%5c1',
    '/api\\things',
    '/api/things/1;x=1',
    '/api/things/%00',
    '/api/things/%zz',
    '/api/things/%ff',
    '/api/things#x',
    '*',
  ])('are 400: %s', async (target) => {
    const received = await raw(`GET ${target} HTTP/1.1`, 'Host: gateway', 'Connection: close');
    expect([target, statusOf(received)]).toEqual([target, 400]);
    expect(received).toContain('"code":"ambiguous_target"');
  });
});

describe('a tunnel', () => {
  it('is rejected: CONNECT is 400', async () => {
    const received = await raw('CONNECT 127.0.0.1:5432 HTTP/1.1', 'Host: gateway');
    expect(statusOf(received)).toBe(400);
    expect(received).toContain('"code":"ambiguous_target"');
  });
});

describe('limits', () => {
  it('a target that is too long is 414', async () => {
    expect(problemOf(await sendRequest(gateway.port, `/${'x'.repeat(11_000)}`))[0]).toBe(414);
  });

  it('the longest folder and title of a note fit into a target', async () => {
    const [folder, title] = [512, 500].map((length) => encodeURIComponent('長'.repeat(length)));
    const target = `/api/notes/by-path?folder=${folder}&title=${title}`;
    expect(problemOf(await sendRequest(gateway.port, target))[0]).not.toBe(414);
  });

  it('a target beyond the limit on headers is 414', async () => {
    const received = await raw(`GET /${'x'.repeat(20_000)} HTTP/1.1`, 'Host: a');
    expect(statusOf(received)).toBe(414);
    expect(received).toContain('"code":"target_too_long"');
  });

  it('more than 16 KB of headers is 431', async () => {
    const received = await raw('GET / HTTP/1.1', 'Host: a', `X-Long: ${'x'.repeat(17_000)}`);
    expect(statusOf(received)).toBe(431);
    expect(received).toContain('"code":"headers_too_large"');
  });

  it('more than 100 headers is 431', async () => {
    const many = Array.from({ length: 101 }, (_, index) => `X-${index}: x`);
    const received = await raw('GET /healthz HTTP/1.1', 'Host: a', 'Connection: close', ...many);
    expect(statusOf(received)).toBe(431);
  });

  it('an unknown expectation is 417', async () => {
    const received = await raw(
      'GET /healthz HTTP/1.1',
      'Host: a',
      'Expect: miracles',
      'Connection: close',
    );
    expect(statusOf(received)).toBe(417);
  });

  it('a client of HTTP/1.0 gets no 100', async () => {
    const received = await raw(
      'POST /api/auth/login HTTP/1.0',
      'Host: a',
      'Expect: 100-continue',
      'Content-Length: 2',
      '',
      '{}',
    );
    expect(statusesOf(received)).toEqual([200]);
  });

  it('a rejected request gets its response without 100', async () => {
    const received = await raw(
      `PUT /api/things/${newId()} HTTP/1.1`,
      'Host: a',
      'Expect: 100-continue',
      'Content-Length: 1000000',
    );
    expect(statusOf(received)).toBe(401);
  });
});

describe('the route table', () => {
  it('has only the declared public routes', async () => {
    for (const path of ['/internal/keys/verify', '/api/nothing', '/index.html', '/api/things/']) {
      expect([path, ...problemOf(await sendRequest(gateway.port, path))]).toEqual([
        path,
        404,
        'route_not_found',
      ]);
    }
  });

  it('responds 405 with the allowed methods, before authentication', async () => {
    for (const method of ['PATCH', 'OPTIONS', 'TRACE']) {
      const response = await sendRequest(gateway.port, `/api/things/${newId()}`, { method });
      expect(problemOf(response)).toEqual([405, 'method_not_allowed']);
      expect(response.headers.allow).toBe('PUT, GET, HEAD, DELETE');
    }
  });
});
