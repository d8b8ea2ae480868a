import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NoteGrant } from '@commonplace/contracts';
import { grant, operatorCaller } from '@commonplace/testkit';
import { aCompany, aNoteId, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { deleteOf, putOf, syncClient } from '../sync-client.ts';

const company = aCompany();
const grants: readonly NoteGrant[] = [
  { folder: 'a', scope: 'any', mode: 'direct' },
  { folder: 'r', scope: 'read', mode: 'direct' },
];
const wide = anAgent(company);
const narrow = { ...anAgent(company), grants };

let world: NotesWorld;
let visibleId: string;
beforeAll(async () => {
  world = await createNotesWorld();
  visibleId = await noteIn('a');
});
afterAll(() => world.close());

/** A new note by a caller without grants. */
const noteIn = async (folder: string, fields: object = {}): Promise<string> => {
  const id = aNoteId();
  const note = { title: 'N', folder, content: 'secret text\n', ...fields };
  await world.as(wide).put(`/api/notes/${id}`).send(note).expect(201);
  return id;
};

const stored = async (id: string) => (await world.as(wide).get(`/api/notes/${id}`)).body as object;

type Write = readonly [
  name: string,
  send: (id: string) => PromiseLike<{ status: number; body: unknown }>,
];

const as = () => world.as(narrow);
const writes: readonly Write[] = [
  ['PUT', (id) => as().put(`/api/notes/${id}`).send({ title: 'mine', folder: 'a' })],
  ['PUT at the place', (id) => as().put(`/api/notes/${id}`).send({ title: 'mine', folder: 'x' })],
  ['PUT with If-Match', (id) => as().put(`/api/notes/${id}`).set('If-Match', '"9"').send({})],
  [
    'PUT with If-None-Match',
    (id) => as().put(`/api/notes/${id}`).set('If-None-Match', '*').send({}),
  ],
  [
    'PATCH',
    (id) =>
      as()
        .patch(`/api/notes/${id}`)
        .send({ edits: [{ op: 'append', text: 'mine' }] }),
  ],
  [
    'PATCH that does not fit',
    (id) =>
      as()
        .patch(`/api/notes/${id}`)
        .send({ edits: [{ op: 'replace', find: 'nothing', with: '' }] }),
  ],
  ['DELETE', (id) => as().delete(`/api/notes/${id}`)],
  ['restore', (id) => as().post(`/api/notes/${id}/restore`).send({ revision: 1 })],
  [
    'resolve',
    (id) => as().post(`/api/notes/${id}/conflicts/${visibleId}/resolve`).send({ keep: 'this' }),
  ],
];

describe('a write outside the grants', () => {
  it.each(writes)('is 403 and shows nothing of the note: %s', async (_name, send) => {
    for (const folder of ['x', 'ab', '', 'r']) {
      const id = await noteIn(folder);
      const before = await stored(id);
      const { status, body } = await send(id);
      expect({ folder, status, body }).toMatchObject({
        status: 403,
        body: { code: 'folder_not_granted' },
      });
      expect(JSON.stringify(body)).not.toContain('secret');
      expect(await stored(id)).toEqual(before);
    }
  });

  it.each(writes)('of a deleted note is 403 as well: %s', async (_name, send) => {
    const id = await noteIn('x');
    await world.as(wide).delete(`/api/notes/${id}`).expect(204);
    expect(await send(id)).toMatchObject({ status: 403, body: { code: 'folder_not_granted' } });
  });

  it('is evaluated by where the note comes to be', async () => {
    const call = world.as(narrow);
    const refused = { status: 403, body: { code: 'folder_not_granted' } };
    for (const folder of ['x', 'ab', '', 'r']) {
      expect(await call.post('/api/notes').send({ title: 'new', folder })).toMatchObject(refused);
      expect(await call.put(`/api/notes/${aNoteId()}`).send({ folder })).toMatchObject(refused);
      const id = await noteIn('a/b');
      const edits = [{ op: 'set', folder }];
      expect(await call.patch(`/api/notes/${id}`).send({ edits })).toMatchObject(refused);
      expect(await call.put(`/api/notes/${id}`).send({ folder })).toMatchObject(refused);
      expect(await stored(id)).toMatchObject({ folder: 'a/b', revision: 1 });
    }
    const moved = await noteIn('x');
    await world.as(wide).put(`/api/notes/${moved}`).send({ folder: 'a' }).expect(200);
    expect(await call.post(`/api/notes/${moved}/restore`).send({ revision: 1 })).toMatchObject(
      refused,
    );
  });

  it('by synchronisation rejects that change alone', async () => {
    const hidden = await noteIn('x');
    const readable = await noteIn('r');
    const { sync } = syncClient(world, narrow);
    const { results } = await sync({
      changes: [
        putOf({ folder: 'x', content: 'mine' }, { id: hidden, baseRevision: 1 }),
        putOf({ folder: 'a', content: 'mine' }, { id: hidden, baseRevision: null }),
        deleteOf(hidden, 1),
        deleteOf(readable, 1),
        putOf({ folder: 'ab' }),
        putOf({ folder: 'a/new' }),
      ],
    });
    expect(results.map(({ status, error }) => error?.code ?? status)).toEqual([
      ...Array.from({ length: 5 }, () => 'folder_not_granted'),
      'applied',
    ]);
    expect(JSON.stringify(results)).not.toContain('secret');
    expect(await stored(hidden)).toMatchObject({ revision: 1, content: 'secret text\n' });
  });

  it('is no repetition either, once the note was moved away', async () => {
    const id = await noteIn('a');
    const put = () =>
      world.as(narrow).put(`/api/notes/${id}`).set('Idempotency-Key', 'once').send({ folder: 'a' });
    await put().expect(200);
    await put().expect(200);
    await world.as(wide).put(`/api/notes/${id}`).send({ folder: 'x' }).expect(200);
    await put().expect(403);
  });
});

describe('a write within the grants', () => {
  it('does what it does for anybody', async () => {
    const call = world.as(narrow);
    const { body } = await call.post('/api/notes').send({ title: 'new', folder: 'a' }).expect(201);
    const { id } = body as { id: string };
    const edits = [{ op: 'set', folder: 'a/b/c' }];
    await call.patch(`/api/notes/${id}`).send({ edits }).expect(200);
    await call.put(`/api/notes/${id}`).set('If-Match', '"1"').send({ folder: 'a' }).expect(412);
    await call.delete(`/api/notes/${id}`).expect(204);
    await call.post(`/api/notes/${id}/restore`).send({}).expect(200);
    await call.put(`/api/notes/${aNoteId()}`).send({ folder: 'a' }).expect(201);
  });

  it('changes links only in notes it reaches', async () => {
    const id = await noteIn('a', { title: 'Old' });
    const linking = { title: 'L', content: 'see [[Old]]' };
    const [inside, outside] = [await noteIn('a', linking), await noteIn('x', linking)];
    const edits = [{ op: 'set', title: 'New', updateLinks: true }];
    const { body } = await world.as(narrow).patch(`/api/notes/${id}`).send({ edits }).expect(200);
    expect(body).toMatchObject({ changed: { linksUpdated: [inside] } });
    expect(await stored(inside)).toMatchObject({ content: 'see [[New]]' });
    expect(await stored(outside)).toMatchObject({ content: 'see [[Old]]' });
  });
});

describe('routes that do not keep to grants', () => {
  it('refuse callers with grants', async () => {
    const path = `/api/companies/${company}/search-settings`;
    const viewer = (held?: NoteGrant[]) =>
      operatorCaller({ companies: [grant(company, 'viewer', held ? { grants: held } : {})] });
    await world.as(viewer()).get(path).expect(200);
    const refused = { status: 403, body: { code: 'folder_not_granted' } };
    expect(await world.as(viewer([...grants])).get(path)).toMatchObject(refused);
  });
});

describe('cursors', () => {
  it('of other grants have expired', async () => {
    await noteIn('a');
    const { cursor } = await syncClient(world, narrow).pullAll();
    const other = { ...narrow, grants: grants.slice(0, 1) };
    for (const caller of [other, wide]) {
      const { body } = await world.as(caller).post('/api/sync').send({ cursor }).expect(410);
      expect(body).toMatchObject({ code: 'cursor_expired' });
      await world.as(caller).post('/api/context').send({ since: cursor }).expect(410);
    }
    const { cursor: ofAll } = await syncClient(world, wide).pullAll();
    await world.as(narrow).post('/api/sync').send({ cursor: ofAll }).expect(410);
    const rights = {
      ...narrow,
      grants: grants.map((grant) => ({ ...grant, scope: 'any' as const })),
    };
    await world.as(rights).post('/api/sync').send({ cursor }).expect(200);
  });
});
