import { keyId, newId, runId } from '@commonplace/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aCompany, aNoteId, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';

let world: NotesWorld;
let time = Date.parse('2026-01-01T00:00:00.000Z');
beforeAll(async () => {
  world = await createNotesWorld({ clock: () => new Date((time += 1_000)) });
});
afterAll(() => world.close());

type Item = { noteId: string; revision: number; at: string; author: { id: string } };

const path = '/api/notes/activity';

/** Two agents of one company. */
const aPair = () => {
  const company = aCompany();
  const [one, other] = [anAgent(company), anAgent(company)];
  const put = async (content: string, id = aNoteId(), by = one) => {
    const response = await world.as(by).put(`/api/notes/${id}`).send({ title: 'log', content });
    expect(response.status).toBeLessThan(300);
    return id;
  };
  const list = async (query = '', by = one) =>
    (await world.as(by).get(`${path}${query}`).expect(200)).body as {
      items: Item[];
      nextCursor: string | null;
    };
  return { one, other, put, list };
};

describe('GET /api/notes/activity', () => {
  it('has every version with author, time and lines, newest first', async () => {
    const { one, other, put, list } = aPair();
    const id = await put('a\nb');
    await put('a\nb\nc\n', id, other);
    await put('B\nc\n', id);
    await world.as(one).delete(`/api/notes/${id}`).expect(204);
    const { items, nextCursor } = await list();
    expect(nextCursor).toBeNull();
    expect(items[1]).toEqual({
      noteId: id,
      title: 'log',
      folder: '',
      previousTitle: null,
      previousFolder: null,
      revision: 3,
      deleted: false,
      at: expect.stringMatching(/Z$/),
      author: expect.objectContaining({ kind: 'agent', id: one.agentId }),
      linesAdded: 1,
      linesRemoved: 2,
    });
    expect(
      items.map((item) => [
        item.revision,
        item.author.id === one.agentId,
        ...['deleted', 'linesAdded', 'linesRemoved'].map((name) => item[name as keyof Item]),
      ]),
    ).toEqual([
      [4, true, true, 0, 2],
      [3, true, false, 1, 2],
      [2, false, false, 1, 0],
      [1, true, false, 2, 0],
    ]);
  });

  it('says what a note was called, and where it was, before a version that changed it', async () => {
    const { one, put, list } = aPair();
    const id = await put('a');
    const edits = [{ op: 'set', title: 'new', folder: 'to' }];
    await world.as(one).patch(`/api/notes/${id}`).send({ edits }).expect(200);
    await put('b', id);
    expect((await list()).items).toMatchObject([
      { revision: 3, title: 'log', folder: '', previousTitle: 'new', previousFolder: 'to' },
      { revision: 2, title: 'new', folder: 'to', previousTitle: 'log', previousFolder: '' },
      { revision: 1, title: 'log', folder: '', previousTitle: null, previousFolder: null },
    ]);
  });

  it('after a change number has what was written later, whatever the clock said', async () => {
    const { put, list } = aPair();
    const id = await put('a');
    await put('b', id);
    expect((await list('?sinceChange=1')).items.map(({ revision }) => revision)).toEqual([2]);
    expect((await list('?sinceChange=2')).items).toEqual([]);
  });

  it('pages through all versions, each once', async () => {
    const { put, list } = aPair();
    const ids = await Promise.all(Array.from({ length: 7 }, () => put('text')));
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await list(`?limit=3${cursor}`);
      seen.push(...page.items.map(({ noteId }) => noteId));
      cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`;
    } while (cursor !== '');
    expect(seen.toSorted()).toEqual(ids.toSorted());
  });

  it('filters by author, without the caller, and by time', async () => {
    const { one, other, put, list } = aPair();
    const id = await put('1');
    await put('2', id, other);
    await put('3', id);
    const revisions = async (query: string) =>
      (await list(query)).items.map(({ revision }) => revision);
    expect(await revisions(`?author=${other.agentId}`)).toEqual([2]);
    expect(await revisions('?excludeSelf=true')).toEqual([2]);
    expect(await revisions(`?author=${one.agentId}&limit=1`)).toEqual([3]);
    const at = (await list()).items.find(({ revision }) => revision === 2)?.at ?? '';
    expect(await revisions(`?since=${at}`)).toEqual([3, 2]);
    expect(await revisions(`?until=${at}`)).toEqual([1]);
  });

  it('filters by run, without changes of the same agent by other means', async () => {
    const { one, other, put, list } = aPair();
    const inRun = { ...one, keyId: null, runId: runId.parse(newId()) };
    const id = await put('1');
    await put('2', id, inRun);
    await put('3', id, other);
    const { items } = await list(`?runId=${String(inRun.runId)}`);
    expect(items.map(({ revision, author }) => [revision, author.id])).toEqual([
      [2, inRun.agentId],
    ]);
    expect((await list(`?runId=${newId()}`)).items).toEqual([]);
  });

  it('filters by API key, past many versions of other keys, without the changes of runs', async () => {
    const { one, put, list } = aPair();
    const rotated = { ...one, keyId: keyId.parse(newId()) };
    const inRun = { ...one, keyId: null, runId: runId.parse(newId()) };
    const id = await put('1', aNoteId(), rotated);
    const changes = Array.from({ length: 500 }, (_, index) => ({
      mutationId: `m${index}`,
      op: 'put',
      note: { content: 'with the other key' },
    }));
    for (let batch = 0; batch < 5; batch += 1) {
      await world
        .as(one)
        .post('/api/sync')
        .send({
          clientId: `c${batch}`,
          limit: 1,
          changes: changes.map((change) => ({ ...change, id: aNoteId() })),
        })
        .expect(200);
    }
    await put('2', id, inRun);
    await put('3', id, rotated);
    const { items, nextCursor } = await list(`?keyId=${rotated.keyId}`);
    expect(items.map(({ revision, author }) => [revision, author])).toEqual([
      [3, expect.objectContaining({ id: one.agentId, keyId: rotated.keyId })],
      [1, expect.objectContaining({ id: one.agentId, keyId: rotated.keyId })],
    ]);
    expect(nextCursor).toBeNull();
    const ofRun = await list(`?runId=${inRun.runId}`);
    expect(ofRun.items.map(({ author }) => author)).toEqual([
      expect.not.objectContaining({ keyId: expect.anything() }),
    ]);
  });

  it('goes on past many versions of others, in pages of bounded work', async () => {
    const { one, other, put, list } = aPair();
    const mine = await put('mine');
    const changes = Array.from({ length: 500 }, (_, index) => ({
      mutationId: `m${index}`,
      op: 'put',
      note: { content: 'theirs' },
    }));
    for (let batch = 0; batch < 5; batch += 1) {
      await world
        .as(other)
        .post('/api/sync')
        .send({
          clientId: `c${batch}`,
          limit: 1,
          changes: changes.map((change) => ({ ...change, id: aNoteId() })),
        })
        .expect(200);
    }
    const first = await list(`?author=${one.agentId}`);
    expect([first.items, typeof first.nextCursor]).toEqual([[], 'string']);
    const second = await list(`?author=${one.agentId}&cursor=${first.nextCursor}`);
    expect([second.items.map(({ noteId }) => noteId), second.nextCursor]).toEqual([[mine], null]);
  });

  it('counts no lines of large versions', async () => {
    const { put, list } = aPair();
    await put('a line\n'.repeat(30_000));
    expect((await list()).items[0]).toMatchObject({ linesAdded: null, linesRemoved: null });
  });

  it('shows nothing of other companies, and any agent its own', async () => {
    const { put, list, other } = aPair();
    await put('secret');
    expect((await list('', other)).items).toHaveLength(1);
    expect((await world.as(anAgent()).get(path).expect(200)).body.items).toEqual([]);
  });

  it.each(['since=yesterday', 'author=me', 'excludeSelf=1', 'limit=0', 'cursor=zzz'])(
    'is 400 for %s',
    async (query) => {
      await world.as(anAgent()).get(`${path}?${query}`).expect(400);
    },
  );
});
