import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { identityHeaders } from '@commonplace/testkit';
import { aNoteId, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { callTool, startMcpService, type McpService } from './mcp-client.ts';

let world: NotesWorld;
let service: McpService;
beforeAll(async () => {
  world = await createNotesWorld();
  service = await startMcpService(world.app());
});
afterAll(async () => {
  await service.close();
  await world.close();
});

const agent = anAgent();
const revision = '2026-07-28';
const meta = {
  'io.modelcontextprotocol/protocolVersion': revision,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

type Sent = {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
};

const request = ({ method, params = {}, headers = {} }: Sent): Promise<Response> =>
  fetch(service.url, {
    method: 'POST',
    headers: {
      ...identityHeaders(agent),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      'mcp-method': method,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 'x', method, params: { _meta: meta, ...params } }),
  });

const send = async (sent: Sent) => {
  const response = await request(sent);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

const encoded = (name: string) => `=?base64?${Buffer.from(name).toString('base64')}?=`;

/** Headers that say the same in another form, for which the HTTP layer of the SDK responds. */
it.each<[string, Readonly<Record<string, unknown>>]>([
  ['tools/call', { name: 'whoami', arguments: {} }],
  ['tools/call', { name: 'read_note', arguments: { id: 'nonsense' } }],
  ['tools/call', { name: 'nonsense', arguments: {} }],
  ['tools/call', { name: 'whoami', arguments: 'nonsense' }],
])('the HTTP layer of the SDK has the same response to %s %j', async (method, params) => {
  const name = String(params['name']);
  const plain = await send({ method, params, headers: { 'mcp-name': name } });
  const other = await send({ method, params, headers: { 'mcp-name': encoded(name) } });
  expect(plain).toEqual(other);
  expect(plain.body).toMatchObject({ jsonrpc: '2.0', id: 'x' });
});

it('a list has the same tools for every form of the request', async () => {
  const plain = await send({ method: 'tools/list' });
  const other = await send({ method: 'tools/list', headers: { 'mcp-method': 'tools/list ' } });
  expect(plain).toEqual(other);
  expect(plain.body).toMatchObject({ result: { cacheScope: 'private' } });
});

/** Sends what clients of earlier revisions send. */
const sendEarlier = async (body: unknown, accept: string, headers: Record<string, string> = {}) => {
  const response = await fetch(service.url, {
    method: 'POST',
    headers: { ...identityHeaders(agent), 'content-type': 'application/json', accept, ...headers },
    body: JSON.stringify(body),
  });
  return { response, text: await response.text() };
};

const call = (id: number, name: string, args: Readonly<Record<string, unknown>>) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

it('params of a wrong form are an error of the caller that names what is wrong', async () => {
  const initialized = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  const wrong: readonly (readonly [method: string, params: unknown, named: string])[] = [
    ['initialize', {}, '/protocolVersion'],
    ['initialize', { ...initialized, clientInfo: 'test' }, '/clientInfo'],
    ['tools/list', { cursor: 1 }, '/cursor'],
    ['tools/call', { name: 1 }, 'name'],
    ['prompts/list', { cursor: {} }, '/cursor'],
    ['prompts/get', undefined, '/'],
    ['prompts/get', { name: 'catch-up', arguments: { since: 1 } }, '/arguments/since'],
    ['resources/list', { cursor: [] }, '/cursor'],
    ['resources/templates/list', { cursor: true }, '/cursor'],
    ['resources/read', { uri: null }, '/uri'],
  ];
  for (const [method, params, named] of wrong) {
    const { text } = await sendEarlier({ jsonrpc: '2.0', id: 1, method, params }, '*/*');
    const { error } = JSON.parse(text) as { error?: { code: number; message: string } };
    expect([method, error?.code]).toEqual([method, -32602]);
    expect(error?.message).toContain(named);
  }
  const right = { jsonrpc: '2.0', id: 1, method: 'initialize', params: initialized };
  expect(JSON.parse((await sendEarlier(right, '*/*')).text)).toHaveProperty('result.serverInfo');
});

/** Line breaks of JavaScript that are none in JSON, and what looks like the lines of an event. */
const separators = 'a\u2028b\u2029c\u0085d\ndata: {"x":1}\n\nevent: y\r';

describe.each(['application/json', '*/*', 'application/json, text/event-stream'])(
  'a client of an earlier revision that accepts %s',
  (accept) => {
    const messagesOf = (text: string): unknown =>
      accept.includes('event-stream')
        ? text
            .split('\n')
            .filter((line) => line.startsWith('data: '))
            .map((line) => JSON.parse(line.slice('data: '.length)))
        : JSON.parse(text);

    it('gets a text with any line separators as it is', async () => {
      const title = `Separators ${accept}`;
      await sendEarlier(call(1, 'write_note', { title, content: separators }), accept);
      const { text } = await sendEarlier(call(2, 'read_note', { title }), accept);
      const [message] = [messagesOf(text)].flat();
      expect(message).toMatchObject({ id: 2, result: { content: [{}, { text: separators }] } });
    });

    it('gets the responses to a batch in its order, each once, and an error in its place', async () => {
      const title = `Batch ${accept}`;
      const { response, text } = await sendEarlier(
        [
          call(1, 'write_note', { title, content: 'a\n' }),
          call(2, 'edit_note', { title, append: 'b\n' }),
          { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
          call(2, 'read_note', { title }),
          { jsonrpc: '2.0', id: 4, method: 'nonsense' },
        ],
        accept,
      );
      expect(response.status).toBe(200);
      expect(messagesOf(text)).toMatchObject([
        { id: 1, result: { structuredContent: { created: true } } },
        { id: 2, result: { structuredContent: { revision: 2 } } },
        { id: 2, result: { content: [{}, { text: 'a\nb\n' }] } },
        { id: 4, error: { code: -32601 } },
      ]);
    });
  },
);

it.each<[string, unknown]>([
  [
    'that initialises and does more',
    [
      call(1, 'whoami', {}),
      { ...call(2, '', {}), method: 'x' },
      {
        jsonrpc: '2.0',
        id: 3,
        method: 'initialize',
        params: {
          protocolVersion: '2025-03-26',
          capabilities: {},
          clientInfo: { name: 'x', version: '1' },
        },
      },
    ],
  ],
  ['with something that is no message', [call(1, 'whoami', {}), { jsonrpc: '1.0' }]],
])('a batch %s is 400, and nothing of it is done', async (_what, body) => {
  const { response, text } = await sendEarlier(body, 'application/json');
  expect([response.status, JSON.parse(text)]).toMatchObject([400, { error: {} }]);
});

it('the key of a batch makes its retry safe, and two equal calls in it stay two', async () => {
  const title = 'Keyed';
  await sendEarlier(call(1, 'write_note', { title, content: '' }), '*/*');
  const append = { title, append: 'again\n' };
  const batch = [
    call(1, 'edit_note', append),
    call(2, 'edit_note', append),
    call(3, 'edit_note', { title, append: 'other\n' }),
  ];
  const keyed = { 'idempotency-key': 'batch' };
  for (const _attempt of [1, 2]) {
    const { text } = await sendEarlier(batch, '*/*', keyed);
    expect(JSON.parse(text)).toMatchObject(
      [2, 3, 4].map((revision) => ({ result: { structuredContent: { revision } } })),
    );
  }
  const read = await sendEarlier(call(4, 'read_note', { title }), '*/*');
  expect(JSON.parse(read.text)).toMatchObject({
    result: { content: [{}, { text: 'again\nagain\nother\n' }] },
  });
});

it('a batch of notifications only is accepted', async () => {
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
  const { response } = await sendEarlier([cancelled, cancelled], 'application/json');
  expect(response.status).toBe(202);
});

it('the responses to a batch are written one by one, and its later messages wait for them', async () => {
  const { data } = await callTool(await service.connect(agent), 'write_note', {
    title: 'Control characters',
    content: '\u0001'.repeat(256 * 1024),
  });
  const read = (id: number) => ({
    jsonrpc: '2.0',
    id,
    method: 'resources/read',
    params: { uri: `note://${String(data['id'])}` },
  });
  const response = await fetch(service.url, {
    method: 'POST',
    headers: { ...identityHeaders(agent), 'content-type': 'application/json' },
    body: JSON.stringify(Array.from({ length: 32 }, (_, id) => read(id))),
  });
  expect(response.headers.get('content-length')).toBeNull();
  const messages = (await response.json()) as readonly { readonly id: number }[];
  expect(messages.map(({ id }) => id)).toEqual(Array.from({ length: 32 }, (_, id) => id));
});

it('headers that contradict the body, and an envelope without capabilities, are 400', async () => {
  const params = { name: 'whoami', arguments: {} };
  const contradicting = await send({
    method: 'tools/call',
    params,
    headers: { 'mcp-name': 'read_note' },
  });
  const { 'io.modelcontextprotocol/clientCapabilities': capabilities, ...partial } = meta;
  expect(capabilities).toEqual({});
  const incomplete = await send({
    method: 'tools/call',
    params: { ...params, _meta: partial },
    headers: { 'mcp-name': 'whoami' },
  });
  expect([contradicting.status, incomplete.status]).toEqual([400, 400]);
  expect([contradicting.body, incomplete.body]).toMatchObject([
    { error: { code: expect.any(Number) } },
    { error: { code: expect.any(Number) } },
  ]);
});

it('a subscription to more than 1,000 URIs, or to more than 10 of one note, is refused', async () => {
  const subscribe = (resourceSubscriptions: readonly string[]) =>
    send({ method: 'subscriptions/listen', params: { notifications: { resourceSubscriptions } } });
  const id = aNoteId();
  const parts = Array.from({ length: 11 }, (_, from) => `note://${id}?from=${from}`);
  const notes = Array.from({ length: 1_001 }, () => `note://${aNoteId()}`);
  for (const [uris, named] of [
    [parts, `10 URIs of one note; of note ${id}`],
    [notes, '1,000 URIs; here are 1,001'],
  ] as const) {
    const { status, body } = await subscribe(uris);
    expect([status, body['id']]).toEqual([200, 'x']);
    expect(body['error']).toEqual({ code: -32602, message: expect.stringContaining(named) });
  }
});

it('a subscription may have 1,000 URIs, 10 of one note, and each of them several times', async () => {
  const id = aNoteId();
  const parts = Array.from({ length: 10 }, (_, from) => `note://${id}?from=${from}`);
  const notes = Array.from({ length: 990 }, () => `note://${aNoteId()}`);
  const notifications = { resourceSubscriptions: [...parts, ...parts, ...notes] };
  const response = await request({ method: 'subscriptions/listen', params: { notifications } });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  await response.body?.cancel();
});
