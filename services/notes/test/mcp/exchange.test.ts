import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { identityHeaders } from '@commonplace/testkit';
import { anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { startMcpService, type McpService } from './mcp-client.ts';

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

const send = async ({ method, params = {}, headers = {} }: Sent) => {
  const response = await fetch(service.url, {
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
