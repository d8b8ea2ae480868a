import { afterEach, describe, expect, it } from '@jest/globals';
import { createClient } from '../src/index.ts';
import { createMemoryTool } from '../src/memory/index.ts';
import {
  problem,
  startScriptedServer,
  type ScriptedResponse,
  type ScriptedServer,
} from './scripted-server.ts';

const id = '01890a5d-ac96-774b-bcce-b302099a8058';
const author = { kind: 'agent', id } as const;
const at = '2026-01-01T00:00:00.000Z';
const stored = {
  id,
  companyId: id,
  title: 'Plan',
  content: 'text',
  folder: '',
  tags: ['a', 'b'],
  pinned: false,
  archived: false,
  properties: { status: 'draft', order: 1 },
  revision: 1,
  conflictOf: null,
  size: 4,
  snippet: 'text',
  createdAt: at,
  updatedAt: at,
  deletedAt: null,
  createdBy: author,
  updatedBy: author,
};
const sent = {
  title: 'Plan',
  content: 'text',
  tags: ['b', 'a'],
  properties: { order: 1, status: 'draft' },
};
const preconditionFailed = problem('precondition_failed');
const alreadyThere = (note: object): ScriptedResponse => ({
  ...preconditionFailed,
  body: { ...(preconditionFailed.body as object), current: note },
});

const running: ScriptedServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
});

const startClient = async (script: readonly ScriptedResponse[]) => {
  const server = await startScriptedServer(script);
  running.push(server);
  return { server, api: createClient({ baseUrl: server.baseUrl, retry: { baseDelayMs: 1 } }) };
};

const create = async (script: readonly ScriptedResponse[]) => {
  const { api } = await startClient(script);
  return api.put('/api/notes/{id}', {
    params: { path: { id } },
    headers: { 'If-None-Match': '*' },
    body: sent,
  });
};

describe('a creation with If-None-Match', () => {
  it.each<ScriptedResponse>(['drop', problem('service_unavailable')])(
    'succeeds when a retry finds the note of the first attempt, after %j',
    async (lost) => {
      const { data, response } = await create([lost, alreadyThere(stored)]);
      expect(data).toEqual(stored);
      expect([response.status, response.headers.get('etag')]).toEqual([200, '"1"']);
    },
  );

  it.each([
    ['somebody else’s note', ['drop', alreadyThere({ ...stored, content: 'other' })]],
    ['a note although no response was lost', [alreadyThere(stored)]],
    ['a note after a 429', [problem('rate_limited'), alreadyThere(stored)]],
  ] as const)('fails when it finds %s', async (_, script) => {
    await expect(create(script)).rejects.toMatchObject({ code: 'precondition_failed' });
  });
});

describe('a write whose response is lost', () => {
  const edits = [{ op: 'append', text: 'more' }] as const;
  const patch = { params: { path: { id } }, body: { edits: [...edits] } };
  const ok = { status: 200, body: stored };

  it.each<ScriptedResponse>(['drop', 'cut'])(
    'is sent again, the same, if it is edits with a mutationId: %s',
    async (lost) => {
      const { server, api } = await startClient([lost, ok]);
      const body = { ...patch.body, mutationId: 'm1' };
      expect((await api.patch('/api/notes/{id}', { ...patch, body })).data).toEqual(stored);
      expect(server.seen.map((request) => request.body)).toEqual([body, body]);
    },
  );

  it.each<ScriptedResponse>(['drop', 'cut'])(
    'is sent again if it is a creation with an Idempotency-Key: %s',
    async (lost) => {
      const { server, api } = await startClient([lost, { status: 201, body: stored }]);
      const headers = { 'Idempotency-Key': 'k1' };
      const { data } = await api.post('/api/notes', { headers, body: { title: 'Plan' } });
      expect(data).toEqual(stored);
      const keys = server.seen.map((request) => request.headers['idempotency-key']);
      expect(keys).toEqual(['k1', 'k1']);
    },
  );

  it('is sent again with the same key if it is an insertion of the memory tool', async () => {
    const { server, api } = await startClient([ok, 'drop', ok]);
    const tool = createMemoryTool(api);
    await tool.insert({ path: '/memories/Plan', insert_line: 0, insert_text: 'more' });
    const [, first, second] = server.seen.map(({ headers }) => headers['idempotency-key']);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).toBe(first);
  });

  it('fails after one attempt if it could be applied twice', async () => {
    const { server, api } = await startClient(['drop', ok]);
    await expect(api.patch('/api/notes/{id}', patch)).rejects.toMatchObject({
      name: 'TypeError',
    });
    await expect(api.post('/api/notes', { body: { title: 'Plan' } })).resolves.toBeDefined();
    expect(server.seen).toHaveLength(2);
  });
});
