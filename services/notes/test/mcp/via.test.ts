import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectionId, newId } from '@commonplace/contracts';
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

type Listed = { readonly items: readonly Readonly<Record<string, unknown>>[] };
type Via = { readonly via?: string; readonly keyId?: string };

describe('the audit of notes', () => {
  it('says which versions were written over MCP: revisions, activity and blame', async () => {
    const agent = anAgent();
    const http = world.as(agent);
    const client = await service.connect(agent);
    const id = aNoteId();
    await http.put(`/api/notes/${id}`).send({ title: 'Both', content: 'one\n' }).expect(201);
    await callTool(client, 'edit_note', { id, append: 'two\n' });
    const edits = [{ op: 'append', text: 'three\n' }];
    await http.patch(`/api/notes/${id}`).send({ edits }).expect(200);

    const revisions = (await http.get(`/api/notes/${id}/revisions`).expect(200)).body as Listed;
    expect(revisions.items.map(({ createdBy }) => (createdBy as Via).via)).toEqual([
      undefined,
      'mcp',
      undefined,
    ]);
    const one = await http.get(`/api/notes/${id}/revisions/2`).expect(200);
    expect(one.body).toMatchObject({ createdBy: { kind: 'agent', via: 'mcp' } });
    const activity = (await http.get('/api/notes/activity').expect(200)).body as Listed;
    expect(activity.items.map(({ author }) => (author as Via).via)).toEqual([
      undefined,
      'mcp',
      undefined,
    ]);
    const blame = await http.get(`/api/notes/${id}/blame`).expect(200);
    const { ranges } = blame.body as { ranges: readonly { readonly author: Via }[] };
    expect(ranges.map(({ author }) => author.via)).toEqual([undefined, 'mcp', undefined]);
    const keys = [...revisions.items.map(({ createdBy }) => createdBy as Via), one.body.createdBy];
    for (const { keyId } of [...keys, ...ranges.map(({ author }) => author)]) {
      expect(keyId).toBe(agent.keyId);
    }
  });

  it('names the connection of a version, and lists what was written with it', async () => {
    const agent = anAgent();
    const client = { name: 'Claude', host: 'claude.ai' };
    const connection = { id: connectionId.parse(newId()), client };
    const connected = await service.connect({ ...agent, keyId: null, connection });
    const id = aNoteId();
    const http = world.as(agent);
    await http.put(`/api/notes/${id}`).send({ title: 'Both', content: 'one\n' }).expect(201);
    await callTool(connected, 'edit_note', { id, append: 'two\n' });
    const author = { connectionId: connection.id, via: 'mcp' };
    const one = await http.get(`/api/notes/${id}/revisions/2`).expect(200);
    expect(one.body).toMatchObject({ createdBy: author });
    expect(one.body.createdBy).not.toHaveProperty('keyId');
    const blame = await http.get(`/api/notes/${id}/blame`).expect(200);
    expect(blame.body.ranges.at(-1)).toMatchObject({ author });
    const path = `/api/notes/activity?connectionId=${connection.id}`;
    const { items } = (await http.get(path).expect(200)).body as Listed;
    expect(items).toMatchObject([{ noteId: id, revision: 2, author }]);
  });

  it('names the key in every way of writing: sync, merges, conflict copies and deletions', async () => {
    const agent = anAgent();
    const http = world.as(agent);
    const [id, other] = [aNoteId(), aNoteId()];
    const push = (body: object) => http.post('/api/sync').send({ clientId: 'c', ...body });
    const put = (noteId: string, mutationId: string, rest: object) => ({
      op: 'put',
      id: noteId,
      mutationId,
      ...rest,
    });
    await push({ changes: [put(id, 'a', { note: { content: 'a\nb\n' } })] }).expect(200);
    await push({
      changes: [
        put(id, 'b', { note: { content: 'A\nb\n' }, baseRevision: 1 }),
        put(id, 'c', { note: { content: 'X\nb\n' }, baseRevision: 1 }),
        put(other, 'd', { note: { content: 'x' } }),
        { op: 'delete', id: other, mutationId: 'e' },
      ],
    }).expect(200);
    const { items } = (await http.get('/api/notes/activity').expect(200)).body as Listed;
    expect(items.map(({ author }) => (author as Via).keyId)).toEqual(items.map(() => agent.keyId));
    expect(items.length).toBeGreaterThanOrEqual(5);
  });

  it('says so of notes that MCP creates and deletes', async () => {
    const agent = anAgent();
    const client = await service.connect(agent);
    const created = await callTool(client, 'write_note', { title: 'New', content: 'x' });
    const { id, revision } = created.data;
    await callTool(client, 'delete_note', { id, revision });
    const http = world.as(agent);
    const listed = (await http.get(`/api/notes/${String(id)}/revisions`).expect(200))
      .body as Listed;
    expect(listed.items).toMatchObject([
      { revision: 2, deleted: true, createdBy: { via: 'mcp' } },
      { revision: 1, deleted: false, createdBy: { via: 'mcp' } },
    ]);
  });

  it('is not set by a header or a field of a request', async () => {
    const http = world.as(anAgent());
    const id = aNoteId();
    await http.put(`/api/notes/${id}`).send({ title: 'T', via: 'mcp' }).expect(400);
    await http.put(`/api/notes/${id}`).send({ title: 'T', keyId: aNoteId() }).expect(400);
    await http.put(`/api/notes/${id}`).send({ title: 'T' }).set('via', 'mcp').expect(201);
    const { body } = await http.get(`/api/notes/${id}/revisions/1`).expect(200);
    expect((body as { readonly createdBy: object }).createdBy).not.toHaveProperty('via');
  });
});
