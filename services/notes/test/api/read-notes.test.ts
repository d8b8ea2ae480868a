import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inIndexOrder, read } from '@commonplace/db';
import { listNoteSizes, listNotesUpTo } from '../../src/queries/note-sizes.ts';
import { aNoteId, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';

let world: NotesWorld;
beforeAll(async () => {
  world = await createNotesWorld();
});
afterAll(() => world.close());

const aCaller = () => {
  const agent = anAgent();
  const api = world.as(agent);
  const put = async (content: string, title = 'a note') => {
    const id = aNoteId();
    await api.put(`/api/notes/${id}`).send({ title, content }).expect(201);
    return id;
  };
  const readMany = (body: object) => api.post('/api/notes/read').send(body);
  return { agent, api, put, readMany };
};

describe('POST /api/notes/read', () => {
  it('returns the notes in the requested order, each once and as GET does', async () => {
    const { api, put, readMany } = aCaller();
    const [first, second] = [await put('one'), await put('two')];
    const { body } = await readMany({ ids: [second, first, second.toUpperCase()] }).expect(200);
    const whole = await Promise.all([second, first].map((id) => api.get(`/api/notes/${id}`)));
    expect(body).toEqual({ notes: whole.map((one) => one.body), omitted: [], missing: [] });
  });

  it('names what does not fit, and includes later notes that do', async () => {
    const { put, readMany } = aCaller();
    const ids = [await put('12345'), await put('123456', 'too large'), await put('é123')];
    const { body } = await readMany({ ids, maxBytes: 10 }).expect(200);
    expect(body.notes.map(({ id }: { id: string }) => id)).toEqual([ids[0], ids[2]]);
    expect(body.omitted).toEqual([{ id: ids[1], title: 'too large', size: 6 }]);
  });

  it('reads up to 256 KiB by default and 4 MiB at most', async () => {
    const { put, readMany } = aCaller();
    const content = 'x'.repeat(150 * 1024);
    const ids = [await put(content), await put(content)];
    const few = await readMany({ ids }).expect(200);
    expect([few.body.notes.length, few.body.omitted.length]).toEqual([1, 1]);
    const all = await readMany({ ids, maxBytes: 4 * 1024 * 1024 }).expect(200);
    expect(all.body.notes.every((note: { content: string }) => note.content === content)).toBe(
      true,
    );
    expect(all.body.notes).toHaveLength(2);
    await readMany({ ids, maxBytes: 4 * 1024 * 1024 + 1 }).expect(400);
  });

  it('names unknown and deleted notes in missing', async () => {
    const { api, put, readMany } = aCaller();
    const [active, deleted, unknown] = [await put('here'), await put('gone'), aNoteId()];
    await api.delete(`/api/notes/${deleted}`).expect(204);
    const { body } = await readMany({ ids: [unknown, deleted, active] }).expect(200);
    expect(body.notes).toHaveLength(1);
    expect(body.missing).toEqual([unknown, deleted]);
  });

  it('is 403 when one note belongs to another company, active or deleted', async () => {
    const other = aCaller();
    const foreign = await other.put('secret');
    const { put, readMany } = aCaller();
    const ids = [await put('mine'), foreign];
    expect((await readMany({ ids }).expect(403)).body.code).toBe('cross_company');
    await other.api.delete(`/api/notes/${foreign}`).expect(204);
    expect((await readMany({ ids }).expect(403)).body.code).toBe('cross_company');
  });

  it('is open to a paused agent, because it changes nothing', async () => {
    const { agent, put } = aCaller();
    const id = await put('still readable');
    const paused = world.as({ ...agent, agentStatus: 'paused' as const });
    expect((await paused.post('/api/notes/read').send({ ids: [id] })).body.notes).toHaveLength(1);
  });

  it.each([
    ['no ids', { ids: [] }],
    ['101 ids', { ids: Array.from({ length: 101 }, () => aNoteId()) }],
    ['an id that is no UUID', { ids: ['nope'] }],
    ['an unknown field', { ids: [aNoteId()], view: 'full' }],
  ])('is 400 for %s', async (_what, body) => {
    await aCaller().readMany(body).expect(400);
  });

  it('leaves out the content of a note that grew after it was chosen', async () => {
    const { agent, api, put } = aCaller();
    const [db] = world.deps.map((deps) => deps.db);
    if (!db) {
      throw new Error('A world has one instance at least');
    }
    const ids = [await put('short'), await put('other')] as Parameters<typeof listNoteSizes>[1];
    const chosen = await read(db, inIndexOrder(agent.companyId), (tx) => listNoteSizes(tx, ids));
    await api.put(`/api/notes/${ids[0]}`).send({ content: 'longer' }).expect(200);
    const rows = await read(db, inIndexOrder(agent.companyId), (tx) => listNotesUpTo(tx, chosen));
    const contents = new Map<string, string | null>(rows.map((row) => [row.id, row.content]));
    expect(ids.map((id) => contents.get(id))).toEqual([null, 'other']);
  });
});
