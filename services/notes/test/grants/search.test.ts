import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { NoteGrant } from '@commonplace/contracts';
import { aCompany, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { deleteOf, putOf, syncClient } from '../sync-client.ts';

const grants: readonly NoteGrant[] = [{ folder: 'a', scope: 'read', mode: 'direct' }];
const [alone, crowded] = [aCompany(), aCompany()];

let world: NotesWorld;
beforeAll(async () => {
  world = await createNotesWorld();
  const visible = [
    { title: 'Harbour', content: 'boats and cranes', tags: ['sea'] },
    { title: 'Market', content: 'boats sell fish, fish and fish' },
    { title: 'Station', content: 'trains and cranes' },
  ].map((note) => ({ ...note, folder: 'a' }));
  const hidden = Array.from({ length: 300 }, (_, index) => ({
    title: `Boats ${index}`,
    content: `boats boats zeppelin${index % 3}`,
    folder: 'x',
    tags: ['sea', 'hidden'],
  }));
  await syncClient(world, anAgent(alone)).push(...visible.map((note) => putOf(note)));
  await syncClient(world, anAgent(crowded)).push(
    ...[...visible, ...hidden].map((note) => putOf(note)),
  );
});
afterAll(() => world.close());

type Item = { title: string; rank?: number; explanation?: unknown; excerpt?: string };

const search = async (company: typeof alone, query: string) => {
  const caller = { ...anAgent(company), grants };
  const { body } = await world.as(caller).get(`/api/notes?${query}`).expect(200);
  const { items, ...rest } = body as { items: Item[]; nextCursor: string | null };
  return {
    ...rest,
    items: items.map(({ title, excerpt, explanation, rank }) => ({
      title,
      excerpt,
      explanation,
      // Of the other ways of matching, time is a part.
      ...(query.includes('best') ? { rank } : {}),
    })),
  };
};

it.each([
  'q=boats&match=best&explain=true',
  'q=boats%20cranes%20fish&match=best&explain=true',
  'q=boats',
  'q=boa&match=prefix',
  'q=zepp&match=prefix',
  'q=zeppelin1',
  'q=zeppelin1&match=best&explain=true',
  'q=zeppelni1',
  'q=zeppelin1%20boats&match=best&explain=true',
  'q=%22boats%20boats%22&match=best',
  'q=-boats',
  'tag=sea',
  'tag=hidden',
])('what is found by %s does not depend on hidden notes', async (query) => {
  expect(await search(crowded, query)).toEqual(await search(alone, query));
});

it('frequent words find notes with all of them, and none that are hidden', async () => {
  const company = aCompany();
  const notes = Array.from({ length: 360 }, (_, index) => ({
    title: `Log ${index}`,
    content: index % 3 === 0 ? 'the tide and the ferry, tide tables' : 'the tide or the ferry',
    folder: index % 2 === 0 ? 'a' : 'x',
  }));
  const best = { title: 'Ferry by the tide', content: 'ferry and tide', folder: 'a' };
  const lone = { title: 'Tide', content: 'tide tide tide', folder: 'a' };
  await syncClient(world, anAgent(company)).push(
    ...[...notes, best, lone].map((note) => putOf(note)),
  );
  const { items } = await search(company, 'q=the%20ferry%20of%20the%20tide&match=best&limit=100');
  expect(items[0]).toMatchObject({ title: 'Ferry by the tide' });
  expect(items).toHaveLength(100);
  const numbers = items.slice(1).map(({ title }) => Number(title.replace('Log ', '')) % 2);
  expect(new Set(numbers)).toEqual(new Set([0]));
});

it.each([
  ['that sees all notes', null],
  ['of some folders', grants],
])('deleted notes take no place from others: of a caller %s', async (_, held) => {
  const company = aCompany();
  const client = syncClient(world, anAgent(company));
  const note = (index: number) =>
    putOf({ title: `Report ${index}`, content: 'status', folder: 'a' });
  await client.push(...Array.from({ length: 20 }, (_unused, index) => note(index)));
  const deleted = Array.from({ length: 260 }, (_unused, index) => note(100 + index));
  await client.push(...deleted);
  await client.push(...deleted.map(({ id }) => deleteOf(id, 1)));
  const caller = { ...anAgent(company), ...(held ? { grants: held } : {}) };
  for (const query of ['status%20report', 'status']) {
    const path = `/api/notes?q=${query}&match=best&limit=50`;
    const { body } = await world.as(caller).get(path).expect(200);
    expect((body as { items: Item[] }).items).toHaveLength(20);
  }
});

it('tags and folders of hidden notes are not counted', async () => {
  const call = world.as({ ...anAgent(crowded), grants });
  const tags = await call.get('/api/notes/tags').expect(200);
  expect(tags.body).toMatchObject({ items: [{ tag: 'sea', notes: 1 }], nextCursor: null });
  const folders = await call.get('/api/notes/folders').expect(200);
  expect(folders.body).toMatchObject({ items: [{ folder: 'a', notes: 3 }], nextCursor: null });
});
