import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { NoteGrant, SyncResult } from '@commonplace/contracts';
import { aCompany, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { putOf, syncClient } from '../sync-client.ts';
import { seeded } from './grants-model.ts';

const company = aCompany();
const grants: readonly NoteGrant[] = [{ folder: 'a', scope: 'read', mode: 'direct' }];
const wide = anAgent(company);
const narrow = { ...anAgent(company), grants };
/** More than a page that is read at once. */
const limit = 60;

let world: NotesWorld;
beforeAll(async () => {
  world = await createNotesWorld({ instances: 2 });
});
afterAll(() => world.close());

const ids = (page: Pick<SyncResult, 'changes'>) => page.changes.map(({ id }) => id);

/** Applies a page to what a client has. */
const apply = (held: Map<string, number>, { changes }: SyncResult): void => {
  for (const { id, revision, deletedAt } of changes) {
    if (deletedAt === null) {
      held.set(id, revision);
    } else {
      held.delete(id);
    }
  }
};

it('later pages of a full pull bring what left the folders since it began', async () => {
  const notes = Array.from({ length: 150 }, () => putOf({ folder: 'a' }));
  await syncClient(world, wide).push(...notes);
  const client = syncClient(world, narrow);
  const first = await client.sync({ cursor: null, limit });
  expect(first.hasMore).toBe(true);
  const second = await client.sync({ cursor: first.cursor, limit });
  expect([...ids(first), ...ids(second)]).toEqual(notes.slice(0, 120).map(({ id }) => id));
  const [gone = ''] = ids(first);
  await world.as(wide).put(`/api/notes/${gone}`).send({ title: 'elsewhere', folder: 'x' });
  const last = await client.sync({ cursor: second.cursor, limit });
  expect(last.changes.at(-1)).toMatchObject({ id: gone, reason: 'not_granted' });
  expect(last).toMatchObject({ hasMore: false, counts: { returned: 31 } });
  expect(JSON.stringify(last)).not.toContain('elsewhere');
});

it('no page misses a removal while notes are moved at any time', async () => {
  const random = seeded(11);
  const client = syncClient(world, narrow);
  const { changes: all } = await syncClient(world, wide).pullAll();
  for (let round = 0; round < 6; round += 1) {
    const over = new AbortController();
    const moving = (async () => {
      while (!over.signal.aborted) {
        const { id = '' } = all[random(all.length)] ?? {};
        const folder = ['a', 'x'][random(2)];
        await world
          .as(wide, random(2))
          .put(`/api/notes/${id}`)
          .send({ folder, title: String(folder) });
      }
    })();
    const held = new Map<string, number>();
    let page = await client.sync({ cursor: null, limit }, random(2));
    apply(held, page);
    for (let pages = 1; pages < 12; pages += 1) {
      page = await client.sync({ cursor: page.cursor, limit }, random(2));
      apply(held, page);
    }
    over.abort();
    await moving;
    do {
      page = await client.sync({ cursor: page.cursor, limit });
      apply(held, page);
    } while (page.hasMore);
    const { changes } = await syncClient(world, wide).pullAll();
    const expected = changes.filter(({ folder }) => folder === 'a');
    expect([...held].toSorted()).toEqual(
      expected.map(({ id, revision }) => [id, revision]).toSorted(),
    );
  }
}, 60_000);
