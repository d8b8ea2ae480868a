import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@commonplace/contracts';
import { ask, echoOf, problemOf, sendRaw } from './send-request.ts';
import type { Echo } from './echo.ts';
import { giveKey, startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

/** Lines of a raw request, ended as HTTP wants it. */
const raw = (...lines: string[]): Promise<string> =>
  sendRaw(world.port, `${lines.join('\r\n')}\r\n\r\n`);
const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
const statusesOf = (answer: string): number[] =>
  [...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
const echoIn = (answer: string): Echo => {
  const body = answer.slice(answer.lastIndexOf('\r\n\r\n{') + 4);
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

  it('never reach a service on a public route, in any spelling', async () => {
    const headers = Object.fromEntries(spoofed.map(([name]) => [name, newId()]));
    const { headers: seen } = echoOf(
      await ask(world.port, '/api/auth/login', { method: 'POST', headers }),
    );
    for (const [name, seenAs] of spoofed) {
      expect([seenAs, seen[seenAs]]).not.toEqual([seenAs, headers[name]]);
    }
    expect(seen).not.toHaveProperty('x-company-id');
    expect(seen).not.toHaveProperty('x-gateway-identity');
  });

  it('never reach a service with Expect: 100-continue, which skips the hooks of the proxy', async () => {
    const answer = await raw(
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
    const { headers, body } = echoIn(answer);
    expect(answer.startsWith('HTTP/1.1 100 Continue')).toBe(true);
    expect(body.startsWith('{}')).toBe(true);
    expect(headers).not.toHaveProperty('x-company-id');
    expect(headers).not.toHaveProperty('x-gateway-identity');
    expect(headers).not.toHaveProperty('expect');
    expect(Object.keys(headers).filter((name) => name.includes('_'))).toEqual([]);
  });

  it('cannot name a company other than the own one of an agent', async () => {
    const key = giveKey(world.knowledge);
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answered = await ask(world.port, `/api/things/${newId()}`, {
        method,
        headers: { authorization: key.bearer, 'x-company-id': newId() },
      });
      expect(problemOf(answered)).toEqual([403, 'cross_company']);
    }
  });

  it('are refused when the company is malformed or named twice', async () => {
    const key = giveKey(world.knowledge);
    for (const value of ['nonsense', [key.companyId, newId()], [key.companyId, key.companyId]]) {
      const headers = { authorization: key.bearer, 'x-company-id': value };
      const answered = await ask(world.port, '/api/things', { headers });
      expect(problemOf(answered)).toEqual([400, 'malformed_header']);
    }
  });
});

describe('headers between client and gateway', () => {
  it('end here: Connection and what it names, Upgrade, TE and trailers', async () => {
    const key = giveKey(world.knowledge);
    const answer = await raw(
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
    const { headers, trailers, body } = echoIn(answer);
    expect(headers).not.toHaveProperty('if-match');
    expect(headers).not.toHaveProperty('te');
    expect(headers).not.toHaveProperty('trailer');
    expect([trailers, body]).toEqual([{}, '{}']);
    expect(headers['x-company-id']).toBe(key.companyId);
  });

  it('offer an upgrade in vain: the request is answered, and nothing may follow it', async () => {
    const key = giveKey(world.knowledge);
    for (const protocol of ['websocket', 'h2c']) {
      const answer = await raw(
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
      expect(statusesOf(answer)).toEqual([200]);
      expect(answer.toLowerCase()).toContain('\r\nconnection: close\r\n');
      expect(echoIn(answer).headers).not.toHaveProperty('upgrade');
      expect(echoIn(answer).headers).not.toHaveProperty('http2-settings');
    }
  });
});

describe('one request gets one answer', () => {
  it('though what follows it is no request: that is answered after it', async () => {
    const key = giveKey(world.knowledge);
    const answer = await raw(
      `GET /api/things/${newId()}?behave=slow HTTP/1.1`,
      'Host: gateway',
      `Authorization: ${key.bearer}`,
      '',
      'no request at all',
    );
    expect(statusesOf(answer)).toEqual([200, 400]);
  });

  it('though it is a stream: that is cut, and nothing of ours is written into it', async () => {
    const { bearer } = giveKey(world.knowledge);
    const lines = ['GET /api/things/feed?behave=drip HTTP/1.1', 'Host: a'];
    const socket = connect(world.port, '127.0.0.1');
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

  it('though its body breaks off after it was refused', async () => {
    const answer = await raw(
      `PUT /api/things/${newId()} HTTP/1.1`,
      'Host: gateway',
      'Transfer-Encoding: chunked',
      '',
      'no chunk',
    );
    expect(statusesOf(answer)).toHaveLength(1);
  });

  it('and is not carried out once it was refused, though an answer before it is still awaited', async () => {
    const { bearer } = giveKey(world.knowledge);
    const id = newId();
    const answer = await raw(
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
    expect(statusesOf(answer)).toEqual([200, 400]);
    expect(world.knowledge.passedOn.filter((target) => target.includes(id))).toEqual([]);
  });

  it('and a body that does not arrive is 408, not the fault of the service', async () => {
    const key = giveKey(world.knowledge);
    const answer = await raw(
      `GET /api/things/${newId()} HTTP/1.1`,
      'Host: gateway',
      `Authorization: ${key.bearer}`,
      'Content-Length: 10',
    );
    expect(statusesOf(answer)).toEqual([408]);
    expect(answer).toContain('"code":"request_timeout"');
    expect(answer).toContain('X-Content-Type-Options: nosniff');
  });
});

describe('what says two things at once', () => {
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
    ['a header line that is none', ['Host: a', 'no colon here']],
    ['a space before the colon', ['Host: a', 'X-Company-Id : x']],
  ])('is 400 and reaches no service: %s', async (_title, headers) => {
    const answer = await raw('GET /healthz HTTP/1.1', ...headers, 'Connection: close');
    expect(statusOf(answer)).toBe(400);
    expect(answer).toContain('application/problem+json');
    expect(answer.toLowerCase()).toContain('x-request-id');
  });
});

describe('targets that two readers could understand differently', () => {
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
    const answer = await raw(`GET ${target} HTTP/1.1`, 'Host: gateway', 'Connection: close');
    expect([target, statusOf(answer)]).toEqual([target, 400]);
    expect(answer).toContain('"code":"ambiguous_target"');
  });
});

describe('a tunnel', () => {
  it('is not dug: CONNECT is 400', async () => {
    const answer = await raw('CONNECT 127.0.0.1:5432 HTTP/1.1', 'Host: gateway');
    expect(statusOf(answer)).toBe(400);
    expect(answer).toContain('"code":"ambiguous_target"');
  });
});

describe('limits', () => {
  it('too long a target is 414', async () => {
    expect(problemOf(await ask(world.port, `/${'x'.repeat(9_000)}`))[0]).toBe(414);
  });

  it('a target longer than all headers may be is 414 too', async () => {
    const answer = await raw(`GET /${'x'.repeat(20_000)} HTTP/1.1`, 'Host: a');
    expect(statusOf(answer)).toBe(414);
    expect(answer).toContain('"code":"target_too_long"');
  });

  it('more than 16 KB of headers is 431', async () => {
    const answer = await raw('GET / HTTP/1.1', 'Host: a', `X-Long: ${'x'.repeat(17_000)}`);
    expect(statusOf(answer)).toBe(431);
    expect(answer).toContain('"code":"headers_too_large"');
  });

  it('more than 100 headers is 431, so that none is dropped in silence', async () => {
    const many = Array.from({ length: 101 }, (_, index) => `X-${index}: x`);
    const answer = await raw('GET /healthz HTTP/1.1', 'Host: a', 'Connection: close', ...many);
    expect(statusOf(answer)).toBe(431);
  });

  it('an expectation we do not know is 417', async () => {
    const answer = await raw(
      'GET /healthz HTTP/1.1',
      'Host: a',
      'Expect: miracles',
      'Connection: close',
    );
    expect(statusOf(answer)).toBe(417);
  });

  it('a client of HTTP/1.0, which knows no 100, gets none', async () => {
    const answer = await raw(
      'POST /api/auth/login HTTP/1.0',
      'Host: a',
      'Expect: 100-continue',
      'Content-Length: 2',
      '',
      '{}',
    );
    expect(statusesOf(answer)).toEqual([200]);
  });

  it('a refused request is answered without calling for its body', async () => {
    const answer = await raw(
      `PUT /api/things/${newId()} HTTP/1.1`,
      'Host: a',
      'Expect: 100-continue',
      'Content-Length: 1000000',
    );
    expect(statusOf(answer)).toBe(401);
  });
});

describe('the route table', () => {
  it('knows no internal routes, nor anything else that is not declared', async () => {
    for (const path of ['/internal/keys/verify', '/api/nothing', '/index.html', '/api/things/']) {
      expect([path, ...problemOf(await ask(world.port, path))]).toEqual([
        path,
        404,
        'route_not_found',
      ]);
    }
  });

  it('names the methods a path has with 405, before it asks who is there', async () => {
    for (const method of ['PATCH', 'OPTIONS', 'TRACE']) {
      const answered = await ask(world.port, `/api/things/${newId()}`, { method });
      expect(problemOf(answered)).toEqual([405, 'method_not_allowed']);
      expect(answered.headers.allow).toBe('PUT, GET, HEAD, DELETE');
    }
  });
});
