import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NoteGrant } from '@commonplace/contracts';
import { aCompany, aNoteId, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { deleteOf, putOf, syncClient } from '../sync-client.ts';

const company = aCompany();
const grants: readonly NoteGrant[] = [
  { folder: 'log', scope: 'append', mode: 'direct' },
  { folder: 'own', scope: 'any', mode: 'direct' },
];
const wide = anAgent(company);
const adding = { ...anAgent(company), grants };

let world: NotesWorld;
beforeAll(async () => {
  world = await createNotesWorld();
});
afterAll(() => world.close());

const text = '# Day\n\nfirst\n\n## Open\n\n## Done\n\nnothing\n';

const noteIn = async (folder: string, by = wide): Promise<string> => {
  const id = aNoteId();
  const note = { title: 'N', folder, content: text, tags: ['t'] };
  await world.as(by).put(`/api/notes/${id}`).send(note).expect(201);
  return id;
};
const stored = async (id: string) =>
  (await world.as(wide).get(`/api/notes/${id}`)).body as { content: string; revision: number };
const edit = (id: string, ...edits: object[]) =>
  world.as(adding).patch(`/api/notes/${id}`).send({ edits });

const refused = { status: 403, body: { code: 'folder_not_granted' } };

describe('a grant to add to notes', () => {
  it.each([
    ['append', { op: 'append', text: 'more\n' }, `${text}more\n`],
    [
      'append_to_section',
      { op: 'append_to_section', heading: 'Done', text: 'more' },
      `${text}\nmore\n`,
    ],
    [
      'append_to_section in the middle',
      { op: 'append_to_section', heading: 'Open', text: 'more' },
      text.replace('## Open\n', '## Open\nmore\n'),
    ],
    [
      'insert_after of an empty section',
      { op: 'insert_after', heading: 'Open', text: 'more' },
      text.replace('## Open\n', '## Open\nmore\n'),
    ],
  ])('takes %s', async (_name, change, content) => {
    const id = await noteIn('log');
    await edit(id, change).expect(200);
    expect(await stored(id)).toMatchObject({ content, revision: 2 });
  });

  it.each([
    ['prepend', { op: 'prepend', text: 'x' }],
    ['prepend_to_section', { op: 'prepend_to_section', heading: 'Done', text: 'x' }],
    [
      'prepend_to_section of an empty one',
      { op: 'prepend_to_section', heading: 'Open', text: 'x' },
    ],
    ['insert_before', { op: 'insert_before', heading: 'Done', text: 'x' }],
    ['insert_after before text', { op: 'insert_after', heading: 'Done', text: 'x' }],
    ['insert_after before a lower heading', { op: 'insert_after', heading: 'Day', text: 'x' }],
    ['replace', { op: 'replace', find: 'first', with: 'first' }],
    ['replace_section', { op: 'replace_section', heading: 'Open', text: 'x' }],
    ['a title', { op: 'set', title: 'x' }],
    ['tags', { op: 'set', tags: { add: ['x'] } }],
    ['properties', { op: 'set', properties: { x: 1 } }],
    ['a flag', { op: 'set', pinned: true }],
    ['a move to where it may do all', { op: 'set', folder: 'own' }],
    ['a move below', { op: 'set', folder: 'log/b' }],
  ])('refuses %s, beside an addition too, in notes of its own as well', async (_name, change) => {
    for (const id of [await noteIn('log'), await noteIn('log', adding)]) {
      expect(await edit(id, change)).toMatchObject(refused);
      expect(await edit(id, { op: 'append', text: 'more' }, change)).toMatchObject(refused);
      expect(await stored(id)).toMatchObject({ content: text, revision: 1 });
    }
  });

  it('checks each edit against the text as those before it have left it, and names it', async () => {
    const id = await noteIn('log');
    const insert = { op: 'insert_after', heading: 'Open', text: 'x' };
    const { body } = await edit(id, insert, insert).expect(403);
    expect(body).toMatchObject({ code: 'folder_not_granted', edit: 1 });
    expect(await stored(id)).toMatchObject({ revision: 1 });
  });

  it('is the same for texts that are edited in the thread', async () => {
    const id = aNoteId();
    const content = `# A\n\n${'word '.repeat(8_000)}\n\n# B\n`;
    await world.as(wide).put(`/api/notes/${id}`).send({ folder: 'log', content }).expect(201);
    const inserted = (heading: string) => edit(id, { op: 'insert_after', heading, text: 'x' });
    expect(await inserted('A')).toMatchObject(refused);
    await inserted('B').expect(200);
    expect((await stored(id)).content).toBe(`${content}x\n`);
  });

  it('takes new notes, and a repetition, but no replacement', async () => {
    const call = world.as(adding);
    await call.post('/api/notes').send({ title: 'new', folder: 'log' }).expect(201);
    const id = aNoteId();
    const put = (content: string) => call.put(`/api/notes/${id}`).send({ folder: 'log', content });
    await put('one').expect(201);
    await put('one').expect(200);
    expect(await put('two')).toMatchObject(refused);
    const keyed = () =>
      call
        .put(`/api/notes/${id}`)
        .set('Idempotency-Key', 'again')
        .send({ folder: 'log', content: 'one' });
    await keyed().expect(200);
    await edit(id, { op: 'append', text: '!' }).expect(200);
    expect(await keyed()).toMatchObject({ body: { revision: 1, content: 'one' } });
    expect(await put('one')).toMatchObject(refused);
    expect(await stored(id)).toMatchObject({ content: 'one!', revision: 2 });
  });

  it('keeps the links of its notes, whatever is renamed elsewhere', async () => {
    const links = async (folder: string) => {
      const id = aNoteId();
      const note = { title: 'L', folder, content: 'see [[Old]]' };
      await world.as(wide).put(`/api/notes/${id}`).send(note).expect(201);
      return id;
    };
    const [inLog, inOwn] = [await links('log'), await links('own')];
    const renamed = aNoteId();
    const note = { title: 'Old', folder: 'own' };
    await world.as(wide).put(`/api/notes/${renamed}`).send(note).expect(201);
    const { body } = await edit(renamed, { op: 'set', title: 'New', updateLinks: true });
    expect(body.changed.linksUpdated).toEqual([inOwn]);
    expect((await stored(inLog)).content).toBe('see [[Old]]');
  });

  it('refuses deletion, restoring, conflicts, and moves into the folder', async () => {
    const call = world.as(adding);
    const id = await noteIn('log', adding);
    await edit(id, { op: 'append', text: '!' }).expect(200);
    expect(await call.delete(`/api/notes/${id}`)).toMatchObject(refused);
    expect(await call.post(`/api/notes/${id}/restore`).send({ revision: 1 })).toMatchObject(
      refused,
    );
    await world.as(wide).delete(`/api/notes/${id}`).expect(204);
    expect(await call.post(`/api/notes/${id}/restore`).send({})).toMatchObject(refused);
    expect(await call.put(`/api/notes/${id}`).send({ folder: 'log' })).toMatchObject(refused);
    const own = await noteIn('own', adding);
    expect(await edit(own, { op: 'set', folder: 'log' })).toMatchObject(refused);
    expect(await call.put(`/api/notes/${own}`).send({ folder: 'log' })).toMatchObject(refused);
    const copy = `/api/notes/${await noteIn('log')}/conflicts/${own}/resolve`;
    expect(await call.post(copy).send({ keep: 'this' })).toMatchObject(refused);
  });

  it('lets synchronisation bring new notes only', async () => {
    const id = await noteIn('log');
    const fresh = putOf({ folder: 'log', content: 'new' });
    const { sync } = syncClient(world, adding);
    const { results } = await sync({
      changes: [
        fresh,
        putOf({ folder: 'log', content: 'mine' }, { id, baseRevision: 1 }),
        putOf({ folder: 'log', content: 'mine' }, { id, baseRevision: null }),
        deleteOf(id, 1),
        putOf({ folder: 'log', content: 'newer' }, { id: fresh.id, baseRevision: 1 }),
      ],
    });
    expect(results.map(({ status, error }) => error?.code ?? status)).toEqual([
      'applied',
      ...Array.from({ length: 4 }, () => 'folder_not_granted'),
    ]);
    await world
      .as(wide)
      .patch(`/api/notes/${fresh.id}`)
      .send({ edits: [{ op: 'append', text: '!' }] })
      .expect(200);
    const again = await sync({ changes: [fresh] });
    expect(again.results).toMatchObject([{ status: 'applied', revision: 1 }]);
    expect(await stored(id)).toMatchObject({ content: text, revision: 1 });
  });
});
