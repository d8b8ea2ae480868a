import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { syncDigest, type SyncResult } from '@commonplace/contracts';
import { anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { deleteOf, putOf, syncClient } from '../sync-client.ts';

let world: NotesWorld;
beforeAll(async () => {
  world = await createNotesWorld();
});
afterAll(() => world.close());

const titled = (kind: string, count: number) =>
  Array.from({ length: count }, (_, index) => putOf({ title: `${kind} ${index}`, content: 'one' }));

const statusesOf = (results: SyncResult['results']) =>
  results.reduce<Record<string, number>>(
    (counts, { status }) => ({ ...counts, [status]: (counts[status] ?? 0) + 1 }),
    {},
  );

it('one push may create, change, delete and collide in hundreds: every version is written once', async () => {
  const agent = anAgent();
  const client = syncClient(world, agent);
  const other = syncClient(world, agent, 'other');
  const known = titled('known', 130);
  const contested = titled('contested', 20);
  await client.push(...known, ...contested);
  await other.push(
    ...contested.map(({ id }) =>
      putOf({ title: 'theirs', content: 'two' }, { id, baseRevision: 1 }),
    ),
  );

  const created = titled('created', 150);
  const rewritten = titled('rewritten', 20);
  const dropped = titled('dropped', 20);
  const { results } = await client.push(
    ...known.map(({ id }) => putOf({ title: 'known', content: 'two' }, { id, baseRevision: 1 })),
    ...created,
    ...contested.map(({ id }) => putOf({ title: 'ours', content: '2' }, { id, baseRevision: 1 })),
    ...rewritten,
    ...dropped,
    ...rewritten.map(({ id }) =>
      putOf({ title: 'rewritten', content: 'two' }, { id, baseRevision: null }),
    ),
    ...dropped.map(({ id }) => deleteOf(id, null)),
  );
  expect(statusesOf(results)).toEqual({ applied: 360, conflict: 20 });

  const { changes, integrity } = await client.pullAll();
  const active = changes.filter(({ deletedAt }) => deletedAt === null);
  expect(integrity).toEqual({ count: 340, digest: await syncDigest(active) });
  const copies = active.filter(({ conflictOf }) => conflictOf !== null);
  expect(new Set(copies.map(({ conflictOf }) => conflictOf))).toEqual(
    new Set(contested.map(({ id }) => id)),
  );

  const revisionsOf: [kind: { id: string }[], revisions: number][] = [
    [known, 2],
    [contested, 2],
    [created, 1],
    [copies, 1],
    [rewritten, 2],
    [dropped, 2],
  ];
  for (const [notes, revisions] of revisionsOf) {
    for (const { id } of [notes[0], notes.at(-1)].filter((note) => note !== undefined)) {
      const { body } = await world.as(agent).get(`/api/notes/${id}/revisions`).expect(200);
      expect(body.items.map(({ revision }: { revision: number }) => revision)).toEqual(
        [2, 1].slice(-revisions),
      );
    }
  }
  const isNew = new Set(created.map(({ id }) => id));
  for (const note of active.filter(({ id }) => isNew.has(id))) {
    expect(note).toMatchObject({
      revision: 1,
      content: 'one',
      createdAt: note.updatedAt,
      createdBy: note.updatedBy,
    });
  }
});
