import { afterEach, describe, expect, it } from '@jest/globals';
import { createClient } from '../src/index.ts';
import {
  problem,
  startScriptedServer,
  type ScriptedAnswer,
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
const refused = problem('precondition_failed');
const alreadyThere = (note: object): ScriptedAnswer => ({
  ...refused,
  body: { ...(refused.body as object), current: note },
});

const running: ScriptedServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
});

const create = async (script: readonly ScriptedAnswer[]) => {
  const server = await startScriptedServer(script);
  running.push(server);
  const api = createClient({ baseUrl: server.baseUrl, retry: { baseDelayMs: 1 } });
  return api.put('/api/notes/{id}', {
    params: { path: { id } },
    headers: { 'If-None-Match': '*' },
    body: sent,
  });
};

describe('a creation with If-None-Match whose first answer was lost', () => {
  it.each<ScriptedAnswer>(['drop', problem('service_unavailable')])(
    'that finds the note it has made is a success, after %j',
    async (lost) => {
      const { data, response } = await create([lost, alreadyThere(stored)]);
      expect(data).toEqual(stored);
      expect([response.status, response.headers.get('etag')]).toEqual([200, '"1"']);
    },
  );

  it.each([
    ['somebody else’s note', ['drop', alreadyThere({ ...stored, content: 'other' })]],
    ['a note although no answer was lost', [alreadyThere(stored)]],
    ['a note after it was told to wait', [problem('rate_limited'), alreadyThere(stored)]],
  ] as const)('that finds %s is refused', async (_, script) => {
    await expect(create(script)).rejects.toMatchObject({ code: 'precondition_failed' });
  });
});
