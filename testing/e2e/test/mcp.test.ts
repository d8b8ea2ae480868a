import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { bearer } from '../src/call-api.ts';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';
import { makeCompany, type CompanyWorld } from '../src/world.ts';

let system: TestSystem;
let world: CompanyWorld;
let other: CompanyWorld;
const clients: Client[] = [];

beforeAll(async () => {
  system = await startTestSystem('authenticated', { env: { RATE_LIMIT_PER_SECOND: '0' } });
  const board = system.as(await system.boardHeaders());
  const { baseUrl } = system;
  world = await makeCompany(board, 'MCP', { baseUrl, withInvite: false });
  other = await makeCompany(board, 'Other', { baseUrl, withInvite: false });
}, 120_000);
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await system.stop();
});

const eras = ['2025-11-25', '2026-07-28'] as const;

const connect = async (credential: string, era: (typeof eras)[number]): Promise<Client> => {
  const client = new Client(
    { name: 'e2e', version: '1.0.0' },
    era === '2026-07-28' ? { versionNegotiation: { mode: { pin: era } } } : {},
  );
  clients.push(client);
  const url = new URL('/mcp', system.baseUrl);
  const requestInit = { headers: bearer(credential) };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return client;
};

const textOf = (result: Awaited<ReturnType<Client['callTool']>>): string =>
  (result.content as readonly { readonly text: string }[]).map(({ text }) => text).join('\n');

const send = (body: string, headers: Readonly<Record<string, string>> = bearer(world.key)) =>
  fetch(new URL('/mcp', system.baseUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body,
  });

const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'x', version: '1' },
  },
});

describe.each(eras)('an official client of %s through the gateway', (era) => {
  it('lists and calls tools with a key, and what it wrote is the agent’s', async () => {
    const client = await connect(world.key, era);
    expect((await client.listTools()).tools).toHaveLength(11);
    const title = `By key ${era}`;
    const written = await client.callTool({ name: 'write_note', arguments: { title } });
    const { id } = written.structuredContent as { readonly id: string };
    const { body } = await system.as(bearer(world.key))('GET', `/api/notes/${id}`);
    expect(body).toMatchObject({ title, updatedBy: { kind: 'agent', id: world.agentId } });
  });

  it('with the token of a run every write is the run’s', async () => {
    const client = await connect(world.runToken, era);
    const written = await client.callTool({
      name: 'edit_note',
      arguments: { id: world.noteId, append: `${era}\n` },
    });
    expect(written.isError).toBeFalsy();
    const { body } = await system.as(bearer(world.key))('GET', `/api/notes/${world.noteId}`);
    expect(body).toMatchObject({ updatedBy: { id: world.agentId, runId: world.runId } });
  });

  it('knows who it is and who works with it', async () => {
    const who = textOf(await (await connect(world.key, era)).callTool({ name: 'whoami' }));
    expect(who).toContain(`agent: Ada (${world.agentId}), active`);
    expect(who).toContain('scopes: notes:read, notes:write, agents:read, runs:write');
    expect(who).toContain(`- Ada (${world.agentId}) · researcher`);
  });

  it('reaches no other company', async () => {
    const client = await connect(world.key, era);
    const read = await client.callTool({ name: 'read_note', arguments: { id: other.noteId } });
    expect([read.isError, textOf(read).split(':')[0]]).toEqual([true, 'cross_company']);
  });
});

describe('a subscription', () => {
  it('learns of changes of its notes and of the list, and of no other company', async () => {
    const client = await connect(world.key, '2026-07-28');
    const seen: string[] = [];
    const changed = Promise.withResolvers<void>();
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      seen.push(params.uri);
      changed.resolve();
    });
    const subscription = await client.listen({
      resourceSubscriptions: [`note://${world.noteId}`, `note://${other.noteId}`],
    });
    const append = (by: CompanyWorld) =>
      system.as(bearer(by.key))('PATCH', `/api/notes/${by.noteId}`, {
        body: { edits: [{ op: 'append', text: 'x\n' }] },
      });
    expect((await append(other)).status).toBe(200);
    expect((await append(world)).status).toBe(200);
    await changed.promise;
    expect(seen).toEqual([`note://${world.noteId}`]);
    await subscription.close();
  });

  it('ends within seconds of its key', async () => {
    const board = system.as(await system.boardHeaders());
    const made = await board('POST', `/api/agents/${world.agentId}/keys`, {
      headers: { 'x-company-id': world.companyId },
      body: { name: 'short' },
    });
    const { key, id } = made.body as { readonly key: string; readonly id: string };
    const client = await connect(key, '2026-07-28');
    const subscription = await client.listen({ resourcesListChanged: true });
    await board('DELETE', `/api/agents/${world.agentId}/keys/${id}`, {
      headers: { 'x-company-id': world.companyId },
    });
    await subscription.closed;
    await expect(client.callTool({ name: 'whoami' })).rejects.toThrow('401');
  });
});

it('a wait for changes learns of none a second after its key was revoked', async () => {
  const board = system.as(await system.boardHeaders());
  const path = `/api/agents/${world.agentId}/keys`;
  const headers = { 'x-company-id': world.companyId };
  const made = await board('POST', path, { headers, body: { name: 'waiting' } });
  const { key, id } = made.body as { readonly key: string; readonly id: string };
  const client = await connect(key, '2026-07-28');
  const changes = async (args: Readonly<Record<string, unknown>>) =>
    textOf(await client.callTool({ name: 'recent_changes', arguments: args }));
  const [, since] = /next: (\S+)/.exec(await changes({ limit: 1 })) ?? [];
  const waiting = changes({ since, waitSeconds: 20, includeSelf: true });
  // Sent later, so the wait has begun when this has its result.
  await changes({ limit: 1 });
  expect((await board('DELETE', `${path}/${id}`, { headers })).status).toBe(204);
  // Revocations count within a second.
  await sleep(1_000);
  const title = 'Written after the revocation';
  const written = await system.as(bearer(world.key))('POST', '/api/notes', { body: { title } });
  expect(written.status).toBe(201);
  const result = await waiting.catch(String);
  expect(result).toMatch(/invalid_token|401/);
  expect(result).not.toContain(title);
});

describe('the checks of the gateway', () => {
  it('no credential is 401, a bad one too', async () => {
    expect((await send(initialize, {})).status).toBe(401);
    expect((await send(initialize, bearer('nonsense'))).status).toBe(401);
  });

  it('a client that takes no events gets JSON in every era', async () => {
    const response = await send(initialize);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await response.json()).toMatchObject({
      id: 1,
      result: { protocolVersion: '2025-11-25' },
    });
  });

  it('GET and DELETE are 405, as servers without sessions have it', async () => {
    for (const method of ['GET', 'DELETE']) {
      const response = await fetch(new URL('/mcp', system.baseUrl), {
        method,
        headers: bearer(world.key),
      });
      expect([method, response.status, response.headers.get('allow')]).toEqual([
        method,
        405,
        'POST',
      ]);
    }
  });

  it('there is no OAuth metadata, for browsers neither', async () => {
    for (const path of [
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/oauth-authorization-server',
    ]) {
      const response = await fetch(new URL(path, system.baseUrl), {
        headers: { accept: 'text/html, application/json' },
      });
      expect([path, response.status, response.headers.get('content-type')]).toEqual([
        path,
        404,
        expect.stringContaining('application/problem+json'),
      ]);
    }
  });

  it.each([
    ['no JSON', '{'],
    ['no message', '{"a":1}'],
    ['null', 'null'],
    ['a text', '"x"'],
    ['an empty batch', '[]'],
    ['a batch of nonsense', '[{"jsonrpc":"1.0"},{"id":{}}]'],
    ['no such method', '{"jsonrpc":"2.0","id":1,"method":"nonsense"}'],
    ['params that are no object', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[1]}'],
    ['a tool without a name', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}'],
    ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"tools/list"}'],
    ['a response', '{"jsonrpc":"2.0","id":1,"result":{}}'],
    ['deep nesting', `${'['.repeat(300)}${']'.repeat(300)}`],
    ['a method of megabytes', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x'.repeat(3e6) })],
    [
      'a revision of the future',
      JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/list',
        params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } },
      }),
    ],
  ])('%s is no 500', async (_name, body) => {
    for (const headers of [
      {},
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' },
      { 'mcp-protocol-version': '\u00ff'.repeat(10), 'mcp-param-a': 'x' },
    ]) {
      const response = await send(body, { ...bearer(world.key), ...headers });
      expect(response.status).toBeLessThan(500);
      await response.text();
    }
  });
});
