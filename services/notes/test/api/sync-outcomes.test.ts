import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SyncChangeResult, SyncResult } from '@commonplace/contracts';
import { aCompany, aNoteId, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { deleteOf, putOf, syncClient } from '../sync-client.ts';

let world: NotesWorld;
beforeAll(async () => {
  world = await createNotesWorld();
});
afterAll(() => world.close());

const firstOf = ({ results: [result] }: SyncResult): SyncChangeResult => {
  if (!result) {
    throw new Error('no result');
  }
  return result;
};

/** An agent with a note whose revisions say `v1` to `v<revisions>` in their titles. */
const aNote = async (revisions = 1) => {
  const agent = anAgent();
  const client = syncClient(world, agent);
  const id = aNoteId();
  const api = world.as(agent);
  const path = `/api/notes/${id}`;
  for (let revision = 1; revision <= revisions; revision += 1) {
    await api.put(path).send({ title: `v${revision}`, content: 'a\nb\nc\nd\ne' });
  }
  return { agent, client, id, api, path };
};

describe('put', () => {
  it('an unknown id is applied at the revision after its base', async () => {
    const { client } = await aNote();
    const { results } = await client.push(
      putOf({ title: 'new' }),
      putOf({ title: 'from a lost server' }, { baseRevision: 41 }),
      putOf({ title: 'zero' }, { baseRevision: 0 }),
    );
    expect(results.map(({ status, revision, note }) => [status, revision, note])).toEqual([
      ['applied', 1, undefined],
      ['applied', 42, undefined],
      ['applied', 1, undefined],
    ]);
  });

  it('properties nested too deep are rejected, and their neighbours are not; PUT refuses them too', async () => {
    const { client, api } = await aNote();
    const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) });
    const good = putOf({ properties: nested(32) });
    const { results } = await client.push(putOf({ properties: nested(33) }), good);
    expect(results.map(({ status, error }) => [status, error?.code])).toEqual([
      ['rejected', 'validation_failed'],
      ['applied', undefined],
    ]);
    const stored = await api.get(`/api/notes/${good.id}`).expect(200);
    expect(stored.body.properties).toEqual(nested(32));
    await api
      .put(`/api/notes/${aNoteId()}`)
      .send({ properties: nested(32) })
      .expect(201);
    await api
      .put(`/api/notes/${aNoteId()}`)
      .send({ properties: nested(33) })
      .expect(400);
  });

  it('tags that are stored otherwise than they were sent come back, also in a replay', async () => {
    const { client } = await aNote();
    const sloppy = putOf({ tags: [' b ', 'a', 'a'] });
    const tidy = putOf({ tags: ['a', 'b'] });
    const first = await client.push(sloppy, tidy);
    const tagsOf = ({ results }: SyncResult) => results.map(({ note }) => note?.tags);
    expect(tagsOf(first)).toEqual([['a', 'b'], undefined]);
    const again = await client.push(sloppy, tidy);
    expect(again.results.map(({ replayed }) => replayed)).toEqual([true, true]);
    expect(tagsOf(again)).toEqual(tagsOf(first));
  });

  it('every stored revision can be read, however high the base it began at', async () => {
    const { client, api } = await aNote();
    const high = putOf({ title: 'from far ahead' }, { baseRevision: 2_000_000_000 });
    await client.push(high);
    const path = `/api/notes/${high.id}/revisions/2000000001`;
    expect((await api.get(path).expect(200)).body.title).toBe('from far ahead');
  });

  it('an id of another company is rejected, and its neighbours are not', async () => {
    const { id } = await aNote();
    const outsider = syncClient(world, anAgent());
    const { results, counts } = await outsider.push(
      putOf({ title: 'x' }, { id }),
      putOf({ title: 'mine' }),
      deleteOf(id, 1),
    );
    expect(results.map(({ status, revision, error }) => [status, revision, error?.code])).toEqual([
      ['rejected', null, 'cross_company'],
      ['applied', 1, undefined],
      ['rejected', null, 'cross_company'],
    ]);
    expect(counts).toMatchObject({ applied: 1, rejected: 2 });
  });

  it('an id of another company is found when it is claimed, and its neighbours are written once', async () => {
    const { id, api } = await aNote();
    const company = aCompany();
    const outsider = syncClient(world, anAgent(company));
    const colleague = syncClient(world, anAgent(company));
    const { cursor } = await outsider.sync({});
    const mine = Array.from({ length: 60 }, (_, index) => putOf({ title: `mine ${index}` }));
    const theirs = Array.from({ length: 5 }, (_, index) => putOf({ title: `theirs ${index}` }));
    const [pushed, ...others] = await Promise.all([
      outsider.sync({ cursor, changes: [...mine, putOf({ title: 'x' }, { id }), ...theirs] }),
      colleague.push(putOf({ title: 'beside' })),
      colleague.push(putOf({ title: 'beside, too' }), putOf({ title: 'x' }, { id })),
    ]);
    const ofId = pushed.results.find((result) => result.id === id);
    expect(ofId).toMatchObject({ status: 'rejected', error: { code: 'cross_company' } });
    expect(pushed.counts).toMatchObject({ applied: 65, rejected: 1 });
    expect(others.map(({ counts }) => counts.applied)).toEqual([1, 1]);
    const { changes, integrity } = await outsider.pullAll();
    expect(changes.map(({ revision }) => revision)).toEqual(Array.from({ length: 67 }, () => 1));
    expect(integrity?.count).toBe(67);
    const untouched = await api.get(`/api/notes/${id}`).expect(200);
    expect(untouched.body).toMatchObject({ revision: 1 });
  });

  it('an id that several companies put at once belongs to one of them', async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = aNoteId();
      const responses = await Promise.all(
        [1, 2, 3].map(() =>
          syncClient(world, anAgent()).push(putOf({ title: 'first?' }, { id }), putOf({})),
        ),
      );
      const statuses = responses.map(({ results }) => results.map(({ status }) => status).join());
      expect(statuses.toSorted()).toEqual([
        'applied,applied',
        'rejected,applied',
        'rejected,applied',
      ]);
    }
  });

  it('the same writable fields are unchanged, whatever the base', async () => {
    const { client, id } = await aNote(2);
    const same = { title: 'v2', content: 'a\nb\nc\nd\ne' };
    for (const baseRevision of [null, 1, 2, 9]) {
      const result = firstOf(await client.push(putOf(same, { id, baseRevision })));
      expect(result).toMatchObject({ status: 'unchanged', revision: 2 });
    }
  });

  it('the current base is applied', async () => {
    const { client, id } = await aNote();
    const result = firstOf(await client.push(putOf({ title: 'mine' }, { id, baseRevision: 1 })));
    expect(result).toMatchObject({ status: 'applied', revision: 2 });
    expect(result).not.toHaveProperty('note');
  });

  it('an older base merges what is in different places, and shows the result', async () => {
    const { client, id } = await aNote(2);
    const result = firstOf(
      await client.push(putOf({ title: 'v1', content: 'a\nb\nc\nd\nE' }, { id, baseRevision: 1 })),
    );
    expect(result).toMatchObject({
      status: 'merged',
      revision: 3,
      note: { title: 'v2', content: 'a\nb\nc\nd\nE', revision: 3 },
    });
  });

  it('an older base that does not merge leaves the note and keeps what was sent in a copy', async () => {
    const { client, id, api } = await aNote(2);
    const response = await client.push(
      putOf({ title: 'mine', tags: ['t'] }, { id, baseRevision: 1 }),
    );
    const result = firstOf(response);
    expect(result).toMatchObject({
      status: 'conflict',
      revision: 2,
      note: { title: 'v2', revision: 2 },
    });
    const copy = await api.get(`/api/notes/${String(result.conflictNoteId)}`);
    expect(copy.body).toMatchObject({ title: 'mine', tags: ['t'], revision: 1, conflictOf: id });
    expect(response.changes.map((note) => note.id)).toContain(result.conflictNoteId);
    expect(response.counts).toMatchObject({ conflicts: 1, merged: 0 });
  });

  it.each([
    ['null', null],
    ['ahead', 7],
  ])('a base that is %s conflicts', async (_name, baseRevision) => {
    const { client, id } = await aNote(2);
    const result = firstOf(
      await client.push(putOf({ title: 'v2', content: 'x' }, { id, baseRevision })),
    );
    expect(result).toMatchObject({ status: 'conflict', revision: 2 });
    expect(result.conflictNoteId).toEqual(expect.any(String));
  });

  it('onConflict copy does not merge, reject writes nothing', async () => {
    const { client, id } = await aNote(2);
    const note = { title: 'v1', content: 'a\nb\nc\nd\nE' };
    const copied = await client.sync({
      onConflict: 'copy',
      changes: [putOf(note, { id, baseRevision: 1 })],
    });
    expect(firstOf(copied)).toMatchObject({
      status: 'conflict',
      conflictNoteId: expect.any(String),
    });
    const before = (await client.pullAll()).integrity;
    const refused = await client.sync({
      onConflict: 'reject',
      changes: [putOf(note, { id, baseRevision: 1 })],
    });
    expect(firstOf(refused)).toMatchObject({
      status: 'conflict',
      revision: 2,
      note: { title: 'v2' },
    });
    expect(firstOf(refused)).not.toHaveProperty('conflictNoteId');
    expect((await client.pullAll()).integrity).toEqual(before);
  });

  it('an edit beats a deletion, in every mode', async () => {
    for (const onConflict of ['merge', 'copy', 'reject'] as const) {
      const { client, id, api, path } = await aNote();
      await api.delete(path);
      const response = await client.sync({
        onConflict,
        changes: [putOf({ title: 'back' }, { id, baseRevision: 1 })],
      });
      expect(firstOf(response)).toMatchObject({ status: 'restored', revision: 3 });
      expect((await api.get(path)).body.title).toBe('back');
    }
  });

  it('an invalid note rejects only its own change', async () => {
    const { client } = await aNote();
    const { results } = await client.push(
      putOf({ title: 'a\u0000' }),
      putOf({ nope: 1 }),
      putOf({ title: 'good' }),
      putOf('text'),
    );
    expect(results.map(({ status, error }) => [status, error?.code])).toEqual([
      ['rejected', 'validation_failed'],
      ['rejected', 'validation_failed'],
      ['applied', undefined],
      ['rejected', 'validation_failed'],
    ]);
    expect(results[0]?.error?.detail).toContain('/title');
  });
});

describe('delete', () => {
  it('the current revision becomes a tombstone', async () => {
    const { client, id, api, path } = await aNote(2);
    expect(firstOf(await client.push(deleteOf(id, 2)))).toMatchObject({
      status: 'applied',
      revision: 3,
    });
    expect((await api.get(path)).body.code).toBe('note_deleted');
  });

  it('any other base is a conflict, and nothing is deleted', async () => {
    const { client, id, api, path } = await aNote(2);
    for (const base of [null, 1, 3]) {
      const result = firstOf(await client.push(deleteOf(id, base)));
      expect(result).toMatchObject({ status: 'conflict', revision: 2, note: { title: 'v2' } });
    }
    expect((await api.get(path)).status).toBe(200);
  });

  it('a tombstone or an unknown id is unchanged', async () => {
    const { client, id, api, path } = await aNote();
    await api.delete(path);
    const { results } = await client.push(deleteOf(id, 1), deleteOf(aNoteId(), 4));
    expect(results.map(({ status, revision }) => [status, revision])).toEqual([
      ['unchanged', 2],
      ['unchanged', null],
    ]);
  });
});

describe('several changes of one note in one request', () => {
  it('with the same base follow each other', async () => {
    const { client, id, api, path } = await aNote();
    const { results } = await client.push(
      putOf({ title: 'first' }, { id, baseRevision: 1 }),
      putOf({ title: 'second' }, { id, baseRevision: 1 }),
      deleteOf(id, 1),
      putOf({ title: 'third' }, { id, baseRevision: 1 }),
    );
    expect(results.map(({ status, revision }) => [status, revision])).toEqual([
      ['applied', 2],
      ['applied', 3],
      ['applied', 4],
      ['restored', 5],
    ]);
    expect((await api.get(path)).body).toMatchObject({ title: 'third', revision: 5 });
  });

  it('a new note may be made and changed in one request', async () => {
    const { client } = await aNote();
    const id = aNoteId();
    const { results, changes } = await client.push(
      putOf({ title: '1' }, { id }),
      putOf({ title: '2' }, { id }),
    );
    expect(results.map(({ status, revision }) => [status, revision])).toEqual([
      ['applied', 1],
      ['applied', 2],
    ]);
    expect(changes.map((note) => note.id)).not.toContain(id);
  });

  it('after a merge the next change is merged with what the earlier one sent as base', async () => {
    const { client, id, api, path } = await aNote(2);
    const { results } = await client.push(
      putOf({ title: 'v1', content: 'a\nb\nc\nd\nE' }, { id, baseRevision: 1 }),
      putOf({ title: 'v1', content: 'A\nb\nc\nd\nE' }, { id, baseRevision: 1 }),
    );
    expect(results.map(({ status, revision }) => [status, revision])).toEqual([
      ['merged', 3],
      ['merged', 4],
    ]);
    expect((await api.get(path)).body).toMatchObject({ title: 'v2', content: 'A\nb\nc\nd\nE' });
  });

  it('after a conflict the next one adds its own edit to the note that stayed', async () => {
    const { client, id, api, path } = await aNote(1);
    await api.put(path).send({ title: 'v1', content: 'SERVER\nb\nc\nd\ne' });
    const { results } = await client.push(
      putOf({ title: 'v1', content: 'CLIENT\nb\nc\nd\ne' }, { id, baseRevision: 1 }),
      putOf({ title: 'v1', content: 'CLIENT\nb\nc\nd\nE' }, { id, baseRevision: 1 }),
    );
    expect(results.map(({ status, revision }) => [status, revision])).toEqual([
      ['conflict', 2],
      ['merged', 3],
    ]);
    expect((await api.get(path)).body.content).toBe('SERVER\nb\nc\nd\nE');
  });
});

describe('mutations', () => {
  it('a repeated mutation gets its first result back and is applied once', async () => {
    const { client, id } = await aNote();
    const change = putOf({ title: 'once' }, { id, baseRevision: 1 });
    const first = firstOf(await client.push(change));
    await client.push(putOf({ title: 'later' }, { id, baseRevision: 2 }));
    expect(firstOf(await client.push(change))).toEqual({ ...first, replayed: true });
    expect(firstOf(await client.push({ ...change, baseRevision: 3 }))).toEqual({
      ...first,
      replayed: true,
    });
    const { changes } = await client.pullAll();
    expect(changes).toEqual([expect.objectContaining({ id, title: 'later', revision: 3 })]);
  });

  it('a repeated conflict makes no second copy and shows the note as it was then', async () => {
    const { client, id, api, path } = await aNote(2);
    const change = putOf({ title: 'mine' }, { id, baseRevision: 1 });
    const first = firstOf(await client.push(change));
    await api.put(path).send({ title: 'v3' });
    expect(firstOf(await client.push(change))).toEqual({ ...first, replayed: true });
    expect((await client.pullAll()).changes).toHaveLength(2);
  });

  it.each([
    ['applied', { title: 'v1 and mine', content: 'a\nb\nc\nd\ne' }, 1],
    ['merged', { title: 'v1', content: 'a\nb\nc\nd\nE' }, 2],
    ['conflict', { title: 'mine' }, 2],
  ])(
    '%s and repeated after a deletion brings that with it, wherever the cursor stands',
    async (status, note, revisions) => {
      const { client, id, api, path } = await aNote(revisions);
      const change = putOf(note, { id, baseRevision: 1 });
      const first = firstOf(await client.push(change));
      expect(first.status).toBe(status);
      await api.delete(path);
      // Everything is pulled again, as after a 410; the first pull has no deletions.
      const { cursor, changes } = await client.pullAll();
      expect(changes.map((each) => each.id)).not.toContain(id);
      for (const from of [cursor, null]) {
        const again = await client.sync({ cursor: from, changes: [change] });
        expect(firstOf(again)).toEqual({ ...first, replayed: true });
        const gone = again.changes.find((each) => each.id === id);
        expect(gone?.deletedAt).toEqual(expect.any(String));
        expect(gone).not.toHaveProperty('content');
        expect(again.cursor).toBe(cursor);
      }
    },
  );

  it('twice in one request is applied once', async () => {
    const { client } = await aNote();
    const change = putOf({ title: 'twice' });
    const { results } = await client.push(change, change);
    expect(results.map(({ status, replayed }) => [status, replayed])).toEqual([
      ['applied', undefined],
      ['applied', true],
    ]);
  });

  it('another note, operation or text under the same id is rejected', async () => {
    const { client, id } = await aNote();
    const { mutationId } = firstOf(
      await client.push(putOf({ title: 'x' }, { id, baseRevision: 1 })),
    );
    for (const change of [
      putOf({ title: 'x' }, { mutationId }),
      putOf({ title: 'y' }, { id, baseRevision: 1, mutationId }),
      { ...deleteOf(id, 2), mutationId },
    ]) {
      expect(firstOf(await client.push(change))).toMatchObject({
        status: 'rejected',
        revision: null,
        error: { code: 'mutation_id_reused' },
      });
    }
  });

  it('belongs to caller and client: another client or agent may use the same id', async () => {
    const { agent, client } = await aNote();
    const change = putOf({ title: 'a' });
    await client.push(change);
    const other = putOf({ title: 'b' }, { mutationId: change.mutationId });
    expect(firstOf(await syncClient(world, agent, 'other').push(other)).status).toBe('applied');
    const colleague = syncClient(world, anAgent(agent.companyId));
    expect(firstOf(await colleague.push({ ...other, id: aNoteId() })).status).toBe('applied');
  });

  it('a rejected one may be mended under its id', async () => {
    const { client } = await aNote();
    const change = putOf({ title: 5 });
    expect(firstOf(await client.push(change)).status).toBe('rejected');
    expect(firstOf(await client.push({ ...change, note: { title: 'five' } })).status).toBe(
      'applied',
    );
  });
});
