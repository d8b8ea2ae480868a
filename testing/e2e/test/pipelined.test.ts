import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bearer } from '../src/call-api.ts';
import { chunked } from '../src/hostile-shapes.ts';
import { sendRaw } from '../src/raw-socket.ts';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';
import { makeCompany, type CompanyWorld } from '../src/world.ts';

let system: TestSystem;
let company: CompanyWorld;

beforeAll(async () => {
  system = await startTestSystem('authenticated', { env: { RATE_LIMIT_PER_SECOND: '0' } });
  const { baseUrl } = system;
  const board = system.as(await system.boardHeaders());
  company = await makeCompany(board, 'Pipelined', { baseUrl, withInvite: false });
}, 120_000);
afterAll(async () => {
  await system.stop();
});

const tries = 12;
const host = () => `Host: ${new URL(system.baseUrl).host}`;
const key = () => `Authorization: Bearer ${company.key}`;
const head = (...lines: readonly string[]) => `${lines.join('\r\n')}\r\n\r\n`;

/** A PUT that would make a note. */
const putOf = (id: string, ...lines: readonly string[]): string => {
  const body = '{"title":"Executed after the end"}';
  const start = [`PUT /api/notes/${id} HTTP/1.1`, host(), key(), 'Content-Type: application/json'];
  return head(...start, `Content-Length: ${body.length}`, ...lines) + body;
};

const isThere = async (id: string): Promise<boolean> =>
  (await system.as(bearer(company.key))('GET', `/api/notes/${id}`)).status === 200;

/** What ends a connection: [what, lines of the request, its body, status of the one response]. */
const endings: readonly (readonly [string, readonly string[], string, number])[] = [
  [
    'identity before chunked',
    ['POST /api/sync HTTP/1.1', 'Transfer-Encoding: identity, chunked'],
    '0\r\n\r\n',
    400,
  ],
  [
    'gzip before chunked',
    ['POST /api/sync HTTP/1.1', 'Transfer-Encoding: gzip, chunked'],
    '0\r\n\r\n',
    400,
  ],
  [
    'an empty coding before chunked',
    ['POST /api/sync HTTP/1.1', 'Transfer-Encoding: , chunked'],
    '0\r\n\r\n',
    400,
  ],
  [
    'such a coding where nobody has to sign in',
    ['POST /api/auth/login HTTP/1.1', 'Transfer-Encoding: gzip, chunked'],
    '0\r\n\r\n',
    400,
  ],
  [
    'an offer to upgrade that Connection does not name, handled by a service',
    ['GET /api/agents/me HTTP/1.1', 'Upgrade: h2c'],
    '',
    200,
  ],
  ['such an offer, handled by the gateway', ['GET /healthz HTTP/1.1', 'Upgrade: h2c'], '', 200],
  [
    'such an offer, a document is the response',
    ['GET /api/openapi.json HTTP/1.1', 'Upgrade: websocket'],
    '',
    200,
  ],
  [
    'such an offer, there is no such route',
    ['GET /api/nothing HTTP/1.1', 'Upgrade: websocket'],
    '',
    404,
  ],
  [
    'such an offer, the service refuses',
    ['PUT /api/notes/x HTTP/1.1', 'Upgrade: websocket', 'Content-Length: 0'],
    '',
    400,
  ],
  [
    'such an offer, the credential is refused',
    ['GET /api/companies HTTP/1.1', 'X-Company-Id: x', 'Upgrade: h2c'],
    '',
    400,
  ],
  ['HTTP/1.0', ['GET /api/agents/me HTTP/1.0'], '', 200],
  [
    'HTTP/1.0 that would keep the connection',
    ['GET /api/agents/me HTTP/1.0', 'Connection: keep-alive'],
    '',
    200,
  ],
  [
    'Connection: close of the client',
    ['GET /api/agents/me HTTP/1.1', 'Connection: close'],
    '',
    200,
  ],
  [
    'Connection: close with a body',
    ['POST /api/sync HTTP/1.1', 'Content-Type: application/json', 'Connection: close', chunked],
    '0\r\n\r\n',
    200,
  ],
  [
    'a header that is too long',
    ['GET /api/agents/me HTTP/1.1', `X-Long: ${'x'.repeat(17_000)}`],
    '',
    431,
  ],
  ['a target that is too long', [`GET /${'x'.repeat(20_000)} HTTP/1.1`], '', 414],
  ['two lengths', ['POST /api/sync HTTP/1.1', 'Content-Length: 2', 'Content-Length: 3'], '{}', 400],
];

describe('requests after the end of a connection are not processed', () => {
  it.each(endings)('%s', async (...ending) => {
    const [, [line = '', ...lines], body, status] = ending;
    const seen = await Promise.all(
      Array.from({ length: tries }, async () => {
        const id = randomUUID();
        const bytes = head(line, host(), key(), ...lines) + body + putOf(id);
        const { responses, isClosed } = await sendRaw(system.baseUrl, bytes);
        const [first] = responses;
        return [
          responses.length,
          first?.status,
          first?.headers['connection'],
          isClosed,
          await isThere(id),
        ];
      }),
    );
    expect(seen).toEqual(seen.map(() => [1, status, 'close', true, false]));
  });

  it('nor what waits behind an event stream whose client disconnects', async () => {
    const id = randomUUID();
    const stream = head(
      'GET /api/notes/changes HTTP/1.1',
      host(),
      key(),
      'Accept: text/event-stream',
    );
    const { responses } = await sendRaw(system.baseUrl, `${stream}${putOf(id)}no request\r\n\r\n`);
    expect([responses.length, await isThere(id)]).toEqual([1, false]);
  });
});

describe('a connection that stays open', () => {
  it('processes later requests in order after every other kind of refusal', async () => {
    for (const line of [
      'GET /api/nothing HTTP/1.1',
      'POST /api/agents/me HTTP/1.1',
      'GET // HTTP/1.1',
    ]) {
      const id = randomUUID();
      const first = head(line, host(), key(), 'Content-Length: 0');
      const { responses } = await sendRaw(system.baseUrl, first + putOf(id, 'Connection: close'));
      expect([responses.length, responses[1]?.status, await isThere(id)]).toEqual([2, 201, true]);
    }
  });

  it('shows each request the writes of earlier ones on its connection', async () => {
    for (let attempt = 0; attempt < tries; attempt += 1) {
      const id = randomUUID();
      const read = head(`GET /api/notes/${id} HTTP/1.1`, host(), key(), 'Connection: close');
      const { responses } = await sendRaw(system.baseUrl, putOf(id) + read);
      expect(responses.map(({ status }) => status)).toEqual([201, 200]);
    }
  });
});

describe('CONNECT', () => {
  it('behind a pending request is refused after its response, and ends the connection', async () => {
    for (let attempt = 0; attempt < tries; attempt += 1) {
      const id = randomUUID();
      const me = head('GET /api/agents/me HTTP/1.1', host(), key());
      const tunnel = head('CONNECT 127.0.0.1:5432 HTTP/1.1', host());
      const { responses, isClosed } = await sendRaw(system.baseUrl, me + me + tunnel + putOf(id));
      const statuses = responses.map(({ status }) => status);
      expect([statuses, isClosed, await isThere(id)]).toEqual([[200, 200, 400], true, false]);
    }
  });

  it('behind a response larger than the kernel buffers is refused after the complete response', async () => {
    const page = head('GET /api/openapi.json HTTP/1.1', host());
    const tunnel = head('CONNECT 127.0.0.1:5432 HTTP/1.1', host());
    const { responses } = await sendRaw(system.baseUrl, page.repeat(12) + tunnel, {
      waitMs: 20_000,
    });
    expect(responses.map(({ status }) => status)).toEqual([...Array<number>(12).fill(200), 400]);
    expect(() =>
      responses.slice(0, 12).map(({ body }) => JSON.parse(body) as unknown),
    ).not.toThrow();
  });

  it('from clients that reset their connections ends no process', async () => {
    const pidOf = () => system.system.processes.find(({ name }) => name === 'gateway')?.pid;
    const before = pidOf();
    const { hostname, port } = new URL(system.baseUrl);
    const tunnel = head('CONNECT 127.0.0.1:5432 HTTP/1.1', host());
    for (let attempt = 0; attempt < 200; attempt += 1) {
      const client = connect(Number(port), hostname);
      client.on('error', () => undefined);
      await new Promise<void>((resolve) => client.write(tunnel, () => resolve()));
      // Some resets come before the response, some after.
      await new Promise((resolve) => setTimeout(resolve, attempt % 4));
      client.resetAndDestroy();
    }
    expect((await fetch(`${system.baseUrl}/healthz`)).status).toBe(200);
    expect([typeof before, pidOf()]).toEqual(['number', before]);
  });

  it('behind a response that ends the connection is not processed', async () => {
    const last = head('GET /healthz HTTP/1.1', host(), 'Upgrade: h2c');
    const tunnel = head('CONNECT 127.0.0.1:5432 HTTP/1.1', host());
    const { responses } = await sendRaw(system.baseUrl, last + tunnel);
    expect(responses.map(({ status }) => status)).toEqual([200]);
  });
});
