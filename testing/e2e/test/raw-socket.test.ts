import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { localOperatorId } from '@commonplace/contracts';
import {
  agentCaller,
  grant,
  identityHeaders,
  operatorCaller,
  testIdentitySecrets,
} from '@commonplace/testkit';
import { chunked, framings, targets } from '../src/hostile-shapes.ts';
import { sendRaw, type RawResponse } from '../src/raw-socket.ts';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';
import { makeCompany, type CompanyWorld } from '../src/world.ts';

type Mode = 'authenticated' | 'local_trusted';

const json = 'Content-Type: application/json';

const verify = (mode: Mode): void => {
  let system: TestSystem;
  let one: CompanyWorld;
  let other: CompanyWorld;
  const refusedIds: string[] = [];

  const host = () => `Host: ${new URL(system.baseUrl).host}`;
  const keyOf = (company: CompanyWorld) => `Authorization: Bearer ${company.key}`;
  const head = (...lines: readonly string[]) => `${lines.join('\r\n')}\r\n\r\n`;
  const send = (bytes: string, methods: readonly string[] = []) =>
    sendRaw(system.baseUrl, bytes, { methods });

  /** The one response there is. */
  const responseTo = async (bytes: string, method = 'GET'): Promise<RawResponse> => {
    const { responses } = await send(bytes, [method]);
    expect(responses).toHaveLength(1);
    return responses[0] as RawResponse;
  };

  /** A refusal by the gateway: a problem of this status, with an id that no service has logged. */
  const expectRefusal = ({ status, headers, body }: RawResponse, expected: number): void => {
    expect([status, headers['content-type']]).toEqual([
      expected,
      'application/problem+json; charset=utf-8',
    ]);
    expect(JSON.parse(body)).toMatchObject({ status, requestId: headers['x-request-id'] });
    refusedIds.push(String(headers['x-request-id']));
  };

  beforeAll(async () => {
    system = await startTestSystem(mode, {
      env: { RATE_LIMIT_PER_SECOND: '0', INTERNAL_IDENTITY_SECRETS: testIdentitySecrets.join() },
    });
    const { baseUrl } = system;
    const board = system.as(await system.boardHeaders());
    const withInvite = mode === 'authenticated';
    one = await makeCompany(board, 'One', { baseUrl, withInvite });
    other = await makeCompany(board, 'Other', { baseUrl, withInvite });
  }, 120_000);
  afterAll(async () => {
    await system.stop();
  });

  describe('a body with two interpretations', () => {
    it.each(framings)('is 400 and closes the connection: %s', async (_what, headers, body) => {
      const smuggled = head('GET /api/agents/me HTTP/1.1', host(), keyOf(other));
      const start = head('POST /api/sync HTTP/1.1', host(), keyOf(one), json, ...headers);
      const { responses, isClosed } = await send(start + body + smuggled);
      expect([responses.length, isClosed]).toEqual([1, true]);
      expect(responses[0]?.status).toBe(400);
      expect(responses[0]?.headers['content-type']).toContain('application/problem+json');
    });

    it('is parsed once if valid: extensions are ignored, trailers are dropped', async () => {
      const start = head(
        'POST /api/sync HTTP/1.1',
        host(),
        keyOf(one),
        json,
        chunked,
        'Trailer: X',
      );
      const trailers = `X-Company-Id: ${other.companyId}\r\nAuthorization: Bearer x\r\n\r\n`;
      const next = head('GET /api/agents/me HTTP/1.1', host(), keyOf(other), 'Connection: close');
      const { responses } = await send(`${start}2;a="b"\r\n{}\r\n0\r\n${trailers}${next}`);
      expect(responses.map(({ status }) => status)).toEqual([200, 200]);
      expect(responses[1]?.body).toContain(other.agentId);
    });

    it.each(['GET', 'HEAD', 'DELETE', 'PUT', 'POST'])(
      'is never a second request for a service: %s',
      async (method) => {
        const inner = head('GET /readyz HTTP/1.1', 'Host: a');
        const target = method === 'POST' ? '/api/sync' : `/api/notes/${one.noteId}`;
        const lines = [`${method} ${target} HTTP/1.1`, host(), keyOf(one), json, 'If-Match: "9"'];
        const asChunk = `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`;
        const me = head('GET /api/agents/me HTTP/1.1', host(), keyOf(other), 'Connection: close');
        for (const start of [
          head(...lines, chunked) + asChunk,
          head(...lines, `Content-Length: ${inner.length}`) + inner,
        ]) {
          const { responses } = await send(start + me, [method]);
          expect(responses).toHaveLength(2);
          expect(responses[1]?.body).toContain(other.agentId);
          expect(responses[0]?.status).toBeLessThan(500);
        }
      },
    );
  });

  describe('a repeated header', () => {
    it('is 400 if it is a header that names the caller or the host', async () => {
      for (const twice of [
        [host(), host(), keyOf(one)],
        [host(), 'Host: evil.example', keyOf(one)],
        [host(), keyOf(one), keyOf(one)],
        [host(), keyOf(one), keyOf(other)],
        [host(), keyOf(one), 'authorization: Basic eDp5'],
      ]) {
        expectRefusal(
          await responseTo(head('GET /api/agents/me HTTP/1.1', ...twice, 'Connection: close')),
          400,
        );
      }
      const companies = [one, other].map(({ companyId }) => `X-Company-Id: ${companyId}`);
      for (const named of [companies, [companies[0] ?? '', companies[0] ?? '']]) {
        const lines = ['GET /api/notes HTTP/1.1', host(), keyOf(one), ...named];
        expectRefusal(await responseTo(head(...lines, 'Connection: close')), 400);
      }
    });

    it('is 401 if the first of two session cookies is invalid', async () => {
      const { cookie = 'commonplace.sid=x' } = await system.boardHeaders();
      const lines = ['GET /api/companies HTTP/1.1', host(), 'Cookie: commonplace.sid=forged'];
      const response = await responseTo(head(...lines, `Cookie: ${cookie}`, 'Connection: close'));
      // In local trusted mode cookies are nobody's credential.
      expect(response.status).toBe(mode === 'authenticated' ? 401 : 200);
    });
  });

  describe('an identity that a client sends', () => {
    /** Really signed: the worst case is that a key leaked. */
    const forged = (expect100 = false): string[] => {
      const { companyId } = other;
      const operator = operatorCaller({
        operatorId: localOperatorId,
        isAdmin: true,
        selectedCompanyId: companyId as never,
        companies: [grant(companyId as never)],
      });
      const agent = agentCaller({ companyId: companyId as never });
      const { 'x-gateway-identity': identity } = identityHeaders(operator);
      const { 'x-gateway-identity': another } = identityHeaders(agent);
      return [
        `X-Gateway-Identity: ${identity}`,
        `X_Gateway_Identity: ${identity}`,
        `x-gateway_identity: ${another}`,
        `X_Company_Id: ${companyId}`,
        'X-Client-Address: 203.0.113.66',
        'X_Client_Address: 203.0.113.66',
        'X-Request-Id: of-the-client',
        'X-HTTP-Method-Override: DELETE',
        'X-Original-URL: /internal/keys/verify',
        'X-Rewrite-URL: /internal/keys/verify',
        ...(expect100 ? ['Expect: 100-continue'] : []),
      ];
    };

    it.each([false, true])('changes nothing for an agent (with Expect: %p)', async (expects) => {
      const lines = ['GET /api/agents/me HTTP/1.1', host(), keyOf(one), ...forged(expects)];
      const { responses } = await send(head(...lines, 'Connection: close'));
      const response = responses.at(-1);
      expect(response?.status).toBe(200);
      expect(JSON.parse(response?.body ?? '')).toMatchObject({ companyId: one.companyId });
      expect(response?.headers['x-request-id']).not.toBe('of-the-client');
    });

    it.each([false, true])('writes nowhere else (with Expect: %p)', async (expects) => {
      const id = randomUUID();
      const put = [`PUT /api/notes/${id} HTTP/1.1`, host(), keyOf(one), ...forged(expects)];
      const body = '{"title":"whose?"}';
      const { responses } = await send(
        head(...put, json, `Content-Length: ${body.length}`, 'Connection: close') + body,
      );
      const written = JSON.parse(responses.at(-1)?.body ?? '') as object;
      expect(written).toMatchObject({ companyId: one.companyId, createdBy: { id: one.agentId } });
    });

    it('is no credential', async () => {
      const lines = ['GET /api/agents/me HTTP/1.1', host(), ...forged()];
      const bad = await responseTo(head(...lines, 'Authorization: Bearer x', 'Connection: close'));
      expectRefusal(bad, 401);
      const none = await responseTo(head(...lines, 'Connection: close'));
      // The local operator is nobody's agent: a signed agent would have got 200.
      expect(none.status).toBe(mode === 'authenticated' ? 401 : 403);
    });

    it('opens no internal route', async () => {
      for (const path of ['/internal/keys/verify', '/internal/sessions/verify']) {
        const lines = [`POST ${path} HTTP/1.1`, host(), keyOf(one), ...forged(), json];
        const response = await responseTo(
          `${head(...lines, 'Content-Length: 2', 'Connection: close')}{}`,
        );
        expectRefusal(response, 404);
      }
    });

    it('is dropped if Connection names it, without our own headers', async () => {
      const named = 'close, x-gateway-identity, x-company-id, x-client-address, x-request-id, host';
      for (const path of ['/api/agents/me', '/api/notes']) {
        const lines = [`GET ${path} HTTP/1.1`, host(), keyOf(one), ...forged()];
        const response = await responseTo(head(...lines, `Connection: ${named}, content-length`));
        expect(response.status).toBe(200);
        expect(response.body).not.toContain(other.companyId);
      }
    });

    it('does not set the address of the client', async () => {
      const body = '{"email":"nobody@example.org","password":"no such password at all"}';
      const lines = ['POST /api/auth/login HTTP/1.1', host(), ...forged(true), json];
      const length = `Content-Length: ${body.length}`;
      await send(head(...lines, length, 'Connection: close') + body);
      const board = system.as(await system.boardHeaders());
      const activity = JSON.stringify((await board('GET', '/api/auth/activity')).body);
      // Local trusted mode has no sessions to report.
      expect(activity.includes('127.0.0.1')).toBe(mode === 'authenticated');
      expect(activity).not.toContain('203.0.113.66');
    });
  });

  describe('a target', () => {
    const titled = targets.map(
      ([target, status]) => [target.slice(0, 40), status, target] as const,
    );
    it.each(titled)('%s is %i', async (_title, status, target) => {
      for (const method of ['GET', 'POST']) {
        const lines = [`${method} ${target} HTTP/1.1`, host(), keyOf(one)];
        const response = await responseTo(head(...lines, 'Content-Length: 0', 'Connection: close'));
        expectRefusal(response, status);
      }
    });

    it('is decoded once: a doubly encoded id is 400', async () => {
      for (const id of [`${one.noteId}%252f`, '%252e%252e', `${one.noteId}%20`, '%6de']) {
        const lines = [`GET /api/notes/${id} HTTP/1.1`, host(), keyOf(one), 'Connection: close'];
        const { status, body } = await responseTo(head(...lines));
        expect([id, status, (JSON.parse(body) as { code: string }).code]).toEqual([
          id,
          400,
          'validation_failed',
        ]);
      }
    });

    it('of a tunnel is refused', async () => {
      expectRefusal(await responseTo(head('CONNECT 127.0.0.1:5432 HTTP/1.1', host())), 400);
    });
  });

  describe('methods', () => {
    const kinds = () => [
      ['/healthz', 'GET, HEAD'],
      ['/api/openapi.json', 'GET, HEAD'],
      ['/api/auth/login', 'POST'],
      ['/api/auth/session', 'GET, HEAD'],
      ['/api/agents/me', 'GET, HEAD'],
      ['/api/notes/changes', 'GET, HEAD'],
      [`/api/notes/${one.noteId}`, ''],
      [`/api/companies/${one.companyId}/agents`, ''],
    ];

    it.each(['TRACE', 'OPTIONS', 'PROPFIND', 'LINK'])(
      '%s is 405 on every route, with Allow',
      async (method) => {
        for (const [path = '', allow = ''] of kinds()) {
          const lines = [`${method} ${path} HTTP/1.1`, host(), keyOf(one), 'Connection: close'];
          const response = await responseTo(head(...lines));
          expectRefusal(response, 405);
          expect(response.headers['allow']).toContain(allow);
        }
      },
    );

    it('HEAD returns what GET does, without a body and without waiting for a stream', async () => {
      for (const [path = ''] of kinds().filter(([, methods]) => methods !== 'POST')) {
        const lines = [`HEAD ${path} HTTP/1.1`, host(), keyOf(one), 'Connection: close'];
        const events = path.endsWith('/changes') ? ['Accept: text/event-stream'] : [];
        const response = await responseTo(head(...lines, ...events), 'HEAD');
        // A session is an operator's.
        const expected = path === '/api/auth/session' ? 403 : 200;
        expect([path, response.status, response.body]).toEqual([path, expected, '']);
      }
    });

    it.each(['FOO', 'get', 'GET\x00'])('%j is no method: 400', async (method) => {
      const { status } = await responseTo(head(`${method} /healthz HTTP/1.1`, host()));
      expect(status).toBe(400);
    });
  });

  describe('one connection with several callers', () => {
    it('returns responses in the order of the requests', async () => {
      const me = (...lines: string[]) => head('GET /api/agents/me HTTP/1.1', host(), ...lines);
      const note = (company: CompanyWorld, ...lines: string[]) =>
        head(`GET /api/notes/${company.noteId} HTTP/1.1`, host(), ...lines);
      const { responses } = await send(
        [
          me(keyOf(one)),
          me(keyOf(other)),
          me('Authorization: Bearer x'),
          note(one, keyOf(one)),
          note(one, keyOf(other)),
          note(other, keyOf(other)),
          me(`Authorization: Bearer ${one.runToken}`),
          me('Authorization: Bearer y', 'Connection: close'),
        ].join(''),
      );
      expect(responses.map(({ status }) => status)).toEqual([
        200, 200, 401, 200, 403, 200, 200, 401,
      ]);
      const agentIds = [0, 1, 6].map((index) => responses[index]?.body.includes(one.agentId));
      expect(agentIds).toEqual([true, false, true]);
      expect(responses[3]?.body).toContain(one.noteId);
      expect(responses[5]?.body).toContain(other.noteId);
    });

    it('keeps callers apart over many concurrent connections', async () => {
      const world = [one, other];
      const outcomes = await Promise.all(
        Array.from({ length: 40 }, async (_, index) => {
          const order = [index % 2, (index + 1) % 2, index % 2].map((which) => world[which] ?? one);
          const requests = order.map((company) =>
            head('GET /api/agents/me HTTP/1.1', host(), keyOf(company)),
          );
          const last = head('GET /healthz HTTP/1.1', host(), 'Connection: close');
          const { responses } = await send(requests.join('') + last);
          expect(responses).toHaveLength(4);
          // A busy machine may look up a key too late: that is 503.
          return order.flatMap((company, at) =>
            responses[at]?.status === 503 ? [] : responses[at]?.body.includes(company.agentId),
          );
        }),
      );
      const responded = outcomes.flat();
      expect(responded.length).toBeGreaterThan(0);
      expect(responded).toEqual(Array<boolean>(responded.length).fill(true));
    });

    it('responds to a valid request, then refuses the invalid one behind it', async () => {
      const sound = head('GET /api/agents/me HTTP/1.1', host(), keyOf(one));
      const { responses, isClosed } = await send(`${sound}no request at all\r\n\r\n`);
      expect(responses.map(({ status }) => status)).toEqual([200, 400]);
      expect(isClosed).toBe(true);
    });
  });

  describe('limits', () => {
    it('more than 16 KB of headers, 100 of them, or of trailers is 431', async () => {
      const start = ['GET /api/agents/me HTTP/1.1', host(), keyOf(one), 'Connection: close'];
      expectRefusal(await responseTo(head(...start, `X-Long: ${'x'.repeat(17_000)}`)), 431);
      const many = Array.from({ length: 101 }, (_, index) => `X-${index}: x`);
      expectRefusal(await responseTo(head(...start, ...many)), 431);
      const sync = head('POST /api/sync HTTP/1.1', host(), keyOf(one), json, chunked);
      const trailer = `2\r\n{}\r\n0\r\nX-T: ${'x'.repeat(17_000)}\r\n\r\n`;
      expect((await responseTo(sync + trailer)).status).toBe(431);
    });

    it('headers of 15.9 KB pass the gateway and the services', async () => {
      const start = ['GET /api/agents/me HTTP/1.1', host(), keyOf(one), 'Connection: close'];
      const { status } = await responseTo(head(...start, `User-Agent: ${'x'.repeat(15_900)}`));
      expect(status).toBe(200);
    });

    it('a Content-Length of 1 TB is 413 at once', async () => {
      const start = [`PUT /api/notes/${one.noteId} HTTP/1.1`, host(), keyOf(one), json];
      const response = await responseTo(`${head(...start, 'Content-Length: 1000000000000')}{`);
      expect(response.status).toBe(413);
    });

    it('a chunked body is 413 as soon as it is too large', async () => {
      const start = [`PUT /api/notes/${one.noteId} HTTP/1.1`, host(), keyOf(one), json, chunked];
      const chunk = `100000\r\n${'x'.repeat(0x10_00_00)}\r\n`;
      const response = await responseTo(`${head(...start)}${chunk.repeat(3)}`);
      expect(response.status).toBe(413);
    });

    it('a body in UTF-16, which would hide brackets, is 415', async () => {
      const nested = `{"title":"\u0122","properties":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
      const body = Buffer.from(nested, 'utf16le').toString('latin1');
      const start = [`PUT /api/notes/${one.noteId} HTTP/1.1`, host(), keyOf(one)];
      const type = 'Content-Type: application/json; charset=utf-16le';
      const lines = [...start, type, `Content-Length: ${body.length}`, 'Connection: close'];
      expect((await responseTo(head(...lines) + body)).status).toBe(415);
    });
  });

  describe('old and other protocols', () => {
    it('HTTP/1.0 is supported, without 100 Continue', async () => {
      const lines = [host(), keyOf(one), 'Expect: 100-continue'];
      const { responses, isClosed } = await send(head('GET /api/agents/me HTTP/1.0', ...lines));
      expect([responses.map(({ status }) => status), isClosed]).toEqual([[200], true]);
    });

    it('a request without Host is refused', async () => {
      expectRefusal(await responseTo(head('GET /healthz HTTP/1.1', 'Connection: close')), 400);
      const old = await responseTo(head('GET /healthz HTTP/1.0'));
      expect(old.status).toBe(mode === 'authenticated' ? 200 : 421);
    });

    it('an unknown expectation is 417', async () => {
      const lines = ['GET /healthz HTTP/1.1', host(), 'Expect: miracles', 'Connection: close'];
      expectRefusal(await responseTo(head(...lines)), 417);
    });

    it.each([
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      '\x16\x03\x01\x02\x00\x01\x00\x01',
      'GET /\r\n\r\n',
    ])('%j is 400', async (bytes) => {
      expect((await responseTo(bytes)).status).toBe(400);
    });

    it.each(['websocket', 'h2c'])('an upgrade to %s does not take place', async (protocol) => {
      const upgrade = ['Connection: Upgrade', `Upgrade: ${protocol}`, 'Sec-WebSocket-Version: 13'];
      const lines = ['GET /api/agents/me HTTP/1.1', host(), keyOf(one), ...upgrade];
      const { responses, isClosed } = await send(head(...lines));
      expect([responses.map(({ status }) => status), isClosed]).toEqual([[200], true]);
    });
  });

  it('no service has seen anything the gateway refused', async () => {
    const forwarded = await responseTo(
      head('GET /api/agents/me HTTP/1.1', host(), keyOf(one), 'Connection: close'),
    );
    const control = String(forwarded.headers['x-request-id']);
    const linesOf = (id: string) =>
      system
        .output()
        .split('\n')
        .filter((line) => line.includes(id) && !line.includes('"service":"gateway"'));
    const deadline = Date.now() + 5_000;
    while (linesOf(control).length === 0 && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(linesOf(control)).toHaveLength(1);
    expect(refusedIds.length).toBeGreaterThan(90);
    expect(refusedIds.flatMap(linesOf)).toEqual([]);
  });
};

describe.each<Mode>(['authenticated', 'local_trusted'])('raw requests in %s mode', (mode) => {
  verify(mode);
});
