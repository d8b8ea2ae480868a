import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ListedNote } from '@commonplace/contracts';
import { aNoteId, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { putOf, syncClient } from '../sync-client.ts';

type Caller = Parameters<NotesWorld['as']>[0];

let world: NotesWorld;
beforeAll(async () => {
  world = await createNotesWorld();
});
afterAll(() => world.close());

/** A note at revision 2 with a conflict copy. */
const withConflict = async (agent: Caller, theirs: object = { title: 'b', content: 'theirs' }) => {
  const id = aNoteId();
  const client = syncClient(world, agent);
  await client.push(putOf({ title: 'a', content: 'base' }, { id }));
  await client.push(putOf({ title: 'a', content: 'ours' }, { id, baseRevision: 1 }));
  const { results } = await client.push(putOf(theirs, { id, baseRevision: 1 }));
  return { id, copyId: String(results[0]?.conflictNoteId) };
};
type Conflict = Awaited<ReturnType<typeof withConflict>>;
const resolve = (caller: Caller, { id, copyId }: Conflict, body: object) =>
  world.as(caller).post(`/api/notes/${id}/conflicts/${copyId}/resolve`).send(body);
const statusOf = async (caller: Caller, id: string) =>
  (await world.as(caller).get(`/api/notes/${id}`)).status;
const copiesOf = async (caller: Caller, id: string, query = '') =>
  (await world.as(caller).get(`/api/notes/${id}/conflicts${query}`).expect(200)).body;

describe('GET /api/notes/{id}/conflicts', () => {
  it('lists the active copies of the note, page by page, without content', async () => {
    const agent = anAgent();
    const conflict = await withConflict(agent);
    const other = putOf({ content: 'also theirs' }, { id: conflict.id, baseRevision: 1 });
    const { results } = await syncClient(world, agent).push(other);
    await withConflict(agent);
    const first = await copiesOf(agent, conflict.id, '?limit=1');
    const rest = await copiesOf(agent, conflict.id, `?limit=1&cursor=${first.nextCursor}`);
    const copies = [...first.items, ...rest.items];
    expect(copies.map(({ id }) => id)).toEqual([conflict.copyId, results[0]?.conflictNoteId]);
    expect(copies.map(({ conflictOf, content }) => [conflictOf, content])).toEqual([
      [conflict.id, undefined],
      [conflict.id, undefined],
    ]);
    expect(rest.nextCursor).toBeNull();
  });

  it('an unknown note is 404, another company’s 403', async () => {
    const { id } = await withConflict(anAgent());
    const agent = anAgent();
    expect((await world.as(agent).get(`/api/notes/${id}/conflicts`)).status).toBe(403);
    expect((await world.as(agent).get(`/api/notes/${aNoteId()}/conflicts`)).status).toBe(404);
  });
});

describe('GET /api/notes?conflicts=exclude', () => {
  const listed = async (caller: Caller, query: string) => {
    const { items } = (await world.as(caller).get(`/api/notes?${query}`).expect(200)).body;
    return (items as ListedNote[]).map(({ id, conflictCopies }) => [id, conflictCopies]);
  };

  it('lists a note with the number of its copies in one row, also in a search', async () => {
    const agent = anAgent();
    const { id, copyId } = await withConflict(agent);
    await syncClient(world, agent).push(putOf({ content: 'third' }, { id, baseRevision: 1 }));
    expect(await listed(agent, 'conflicts=exclude')).toEqual([[id, 2]]);
    expect(await listed(agent, 'conflicts=exclude&q=ours')).toEqual([[id, 2]]);
    expect(await listed(agent, 'conflicts=exclude&q=theirs')).toEqual([]);
    expect(await listed(agent, 'q=theirs')).toEqual([[copyId, undefined]]);
    await resolve(agent, { id, copyId }, { keep: 'this' }).expect(200);
    expect(await listed(agent, 'conflicts=exclude')).toEqual([[id, 1]]);
  });

  it('lists a copy whose note was deleted', async () => {
    const agent = anAgent();
    const { id, copyId } = await withConflict(agent);
    await world.as(agent).delete(`/api/notes/${id}`).expect(204);
    expect(await listed(agent, 'conflicts=exclude')).toEqual([[copyId, undefined]]);
  });

  it('counts for a caller with grants only copies that it sees, and lists one whose note is hidden', async () => {
    const agent = anAgent();
    const { id, copyId } = await withConflict(agent, { title: 'b', folder: 'there' });
    const to = (folder: string): Caller => ({
      ...agent,
      grants: [{ folder, scope: 'read', mode: 'direct' }],
    });
    expect(await listed(agent, 'conflicts=exclude')).toEqual([[id, 1]]);
    expect(await listed(to('/'), 'conflicts=exclude')).toEqual([[id, undefined]]);
    expect(await listed(to('there'), 'conflicts=exclude')).toEqual([[copyId, undefined]]);
    expect(await listed(to('there'), 'conflicts=only')).toEqual([[copyId, undefined]]);
  });
});

describe('POST /api/notes/{id}/conflicts/{copyId}/resolve', () => {
  it('with the revision of the copy keeps what was written into it since, and the conflict', async () => {
    const agent = anAgent();
    const { id, copyId } = await withConflict(agent);
    const edits = [{ op: 'append', text: ' and more' }];
    await world.as(agent).patch(`/api/notes/${copyId}`).send({ edits }).expect(200);
    for (const body of [{ keep: 'this' }, { content: 'both' }]) {
      const refused = await resolve(agent, { id, copyId }, { ...body, copyRevision: 1 });
      expect([refused.status, refused.body.code]).toEqual([412, 'precondition_failed']);
    }
    expect(await statusOf(agent, copyId)).toBe(200);
    await resolve(agent, { id, copyId }, { keep: 'this', copyRevision: 2 }).expect(200);
    expect(await statusOf(agent, copyId)).toBe(404);
  });

  it.each([
    ['this', { keep: 'this' }, { title: 'a', content: 'ours', revision: 2 }],
    ['other', { keep: 'other' }, { title: 'b', content: 'theirs', revision: 3 }],
    ['both', { keep: 'both' }, { title: 'a', content: 'ours\ntheirs', revision: 3 }],
    ['a text', { content: 'merged' }, { title: 'a', content: 'merged', revision: 3 }],
  ])('keeps %s and deletes the copy; a retry changes nothing', async (_, body, expected) => {
    const agent = anAgent();
    const conflict = await withConflict(agent);
    const first = await resolve(agent, conflict, body);
    expect([first.status, first.headers['etag']]).toEqual([200, `"${expected.revision}"`]);
    expect(first.body).toMatchObject({ id: conflict.id, ...expected });
    expect(await statusOf(agent, conflict.copyId)).toBe(404);
    expect(await copiesOf(agent, conflict.id)).toEqual({ items: [], nextCursor: null });
    const again = await resolve(agent, conflict, body).set('If-Match', '"2"');
    expect([again.status, again.body]).toEqual([200, first.body]);
  });

  it('a resolution that comes second is 404, and its text is not dropped in silence', async () => {
    const agent = anAgent();
    const conflict = await withConflict(agent);
    const responses = await Promise.all([
      resolve(agent, conflict, { content: 'one' }),
      resolve(agent, conflict, { content: 'two' }),
    ]);
    const statuses = responses.map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 404]);
    expect(responses.find(({ status }) => status === 404)?.body.code).toBe('note_deleted');
  });

  it('a failed If-Match is 412, and neither note changes', async () => {
    const agent = anAgent();
    const conflict = await withConflict(agent);
    const stale = await resolve(agent, conflict, { keep: 'other' }).set('If-Match', '"1"');
    expect([stale.status, stale.body.current.revision]).toEqual([412, 2]);
    expect(await statusOf(agent, conflict.copyId)).toBe(200);
  });

  it('large contents are kept, and a result beyond 512 KiB is 413', async () => {
    const agent = anAgent();
    const large = 'x'.repeat(512 * 1024 - 5);
    const fits = await withConflict(agent, { content: large });
    const both = await resolve(agent, fits, { keep: 'both' });
    expect([both.status, both.body.size]).toEqual([200, 512 * 1024]);
    const tooLarge = await withConflict(agent, { content: `${large}x` });
    const rejected = await resolve(agent, tooLarge, { keep: 'both' });
    expect([rejected.status, rejected.body.code]).toEqual([413, 'body_too_large']);
    expect(await statusOf(agent, tooLarge.copyId)).toBe(200);
  });

  it('a note that is no copy of this one is 404, another company’s 403', async () => {
    const agent = anAgent();
    const [one, two] = [await withConflict(agent), await withConflict(agent)];
    const mixed = { id: one.id, copyId: two.copyId };
    expect((await resolve(agent, mixed, { keep: 'this' })).body.code).toBe('not_found');
    const own = { id: one.id, copyId: one.id };
    expect((await resolve(agent, own, { keep: 'this' })).body.code).toBe('not_found');
    const foreign = await withConflict(anAgent());
    expect((await resolve(agent, foreign, { keep: 'this' })).body.code).toBe('cross_company');
    const half = { id: one.id, copyId: foreign.copyId };
    expect((await resolve(agent, half, { keep: 'this' })).body.code).toBe('cross_company');
  });

  it.each([{}, { keep: 'none' }, { keep: 'this', content: 'x' }, { content: 1 }])(
    '%j is 400',
    async (body) => {
      const agent = anAgent();
      const response = await resolve(agent, await withConflict(agent), body);
      expect([response.status, response.body.code]).toEqual([400, 'validation_failed']);
    },
  );
});
