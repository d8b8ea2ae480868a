import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { SyncResult } from '@commonplace/contracts';
import { completeCatalog } from '../../src/catalog/catch-up-catalog.ts';
import { storedBudget } from '../../src/limits/stored-budget.ts';
import { bytesReadDuring } from '../bytes-read.ts';
import { aNoteId, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { deleteOf, putOf, syncClient, type SyncClient } from '../sync-client.ts';

const mebibyte = 1024 * 1024;
const largeBytes = mebibyte / 2;
/** What rows take besides content, about. */
const slack = mebibyte / 2;

/** Few lines and fewer words, so that merges are allowed by their steps and the index of words stays small. */
const linesOf = (name: string): string => {
  const lines = Array.from(
    { length: 2_000 },
    (_, index) => `${name}: line ${index} of a large note`,
  );
  return lines.map((line) => line.padEnd(255, '.')).join('\n');
};

let world: NotesWorld;
let agent: ReturnType<typeof anAgent>;
let client: SyncClient;
const [first, second] = [linesOf('first'), `a line above\n${linesOf('first')}`];

beforeAll(async () => {
  world = await createNotesWorld();
});
afterAll(() => world.close());

beforeEach(() => {
  agent = anAgent();
  client = syncClient(world, agent);
});

/** Large notes with two revisions each: a few where reading a single one would exceed the slack, more where they fill parts. */
const largeNotes = async (count: number): Promise<string[]> => {
  const ids = Array.from({ length: count }, () => aNoteId());
  for (let done = 0; done < count; done += 9) {
    const part = ids.slice(done, done + 9);
    await client.push(...part.map((id) => putOf({ content: first }, { id })));
    await client.push(...part.map((id) => putOf({ content: second }, { id, baseRevision: 1 })));
  }
  return ids;
};

const deps = () => {
  const [one] = world.deps;
  if (!one) {
    throw new Error('A world has one instance at least');
  }
  return one;
};
/** Counts after the background indexes are up to date, so that they read nothing meanwhile. */
const reading = async <Result>(work: () => Promise<Result>) => {
  const { db, search } = deps();
  await search.indexPendingNotes(agent.companyId);
  await completeCatalog(db, agent.companyId);
  return bytesReadDuring(db, work);
};
const statusesOf = ({ results }: SyncResult) => [...new Set(results.map(({ status }) => status))];
const conflicting = (id: string) => putOf({ content: 'x' }, { id, baseRevision: null });

describe('content that small requests load of large notes', () => {
  it('deletions load none of them, and the notes can be brought back as they were', async () => {
    const ids = await largeNotes(3);
    const { result, bytes } = await reading(() => client.push(...ids.map((id) => deleteOf(id, 2))));
    expect(statusesOf(result)).toEqual(['applied']);
    expect(bytes).toBeLessThan(slack);
    const [id = ''] = ids;
    const { body } = await world.as(agent).post(`/api/notes/${id}/restore`).send({}).expect(200);
    expect(body.content === second).toBe(true);
    expect(body.revision).toBe(4);
  });

  it('a note that is replaced and deleted in one push keeps its last text', async () => {
    const [id = ''] = await largeNotes(1);
    const last = linesOf('last');
    await client.push(putOf({ content: last }, { id, baseRevision: 2 }), deleteOf(id, 2));
    const { body } = await world.as(agent).post(`/api/notes/${id}/restore`).send({}).expect(200);
    expect(body.content === last).toBe(true);
  });

  it('a pull of tombstones loads none of their content', async () => {
    const ids = await largeNotes(3);
    const { cursor } = await client.pullAll();
    await syncClient(world, agent, 'other').push(...ids.map((id) => deleteOf(id, 2)));
    const { result, bytes } = await reading(() => client.sync({ cursor }));
    expect(result.changes).toHaveLength(ids.length);
    expect(bytes).toBeLessThan(slack);
  });

  it('a list of full notes loads one page of them, and its cursors lead through all', async () => {
    const ids = await largeNotes(18);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: {
        bytes: number;
        result: { body: { items: { id: string }[]; nextCursor: string | null } };
      } = await reading(() =>
        world
          .as(agent)
          .get(`/api/notes?view=full&limit=200${cursor ? `&cursor=${cursor}` : ''}`)
          .expect(200),
      );
      expect(page.bytes).toBeLessThan(4 * mebibyte + largeBytes + slack);
      const { items, nextCursor } = page.result.body;
      seen.push(...items.map(({ id }) => id));
      cursor = nextCursor;
    }
    expect(seen.toSorted()).toEqual(ids.toSorted());
  });

  it('a list of deleted notes in full loads none of their content', async () => {
    const ids = await largeNotes(3);
    await client.push(...ids.map((id) => deleteOf(id, 2)));
    const { result, bytes } = await reading(() =>
      world.as(agent).get('/api/notes?view=full&limit=200&deleted=only').expect(200),
    );
    expect(result.body.items).toHaveLength(ids.length);
    expect(bytes).toBeLessThan(slack);
  });

  it('conflicts and their replays load no more of the notes than the response shows', async () => {
    const ids = await largeNotes(18);
    const changes = ids.map(conflicting);
    for (const isReplay of [false, true]) {
      const { result, bytes } = await reading(() => client.sync({ changes, limit: 1 }));
      expect(statusesOf(result)).toEqual(['conflict']);
      expect(result.results.every(({ replayed = false }) => replayed === isReplay)).toBe(true);
      const shown = result.results.filter(({ note }) => note !== undefined);
      expect(shown.length).toBeGreaterThanOrEqual(6);
      expect(shown.every(({ note }) => note?.content === second)).toBe(true);
      expect(bytes).toBeLessThan(5 * mebibyte + slack);
    }
  });

  it('a failed condition shows the note, though the write had no need of its content', async () => {
    const [id = ''] = await largeNotes(1);
    const { body } = await world
      .as(agent)
      .put(`/api/notes/${id}`)
      .set('If-Match', '"1"')
      .send({ content: 'x' })
      .expect(412);
    expect(body.current.content === second).toBe(true);
  });

  it('a put that equals the stored note is unchanged, however large', async () => {
    const [id = ''] = await largeNotes(1);
    const { results } = await client.push(putOf({ content: second }, { id, baseRevision: null }));
    expect(results).toMatchObject([{ status: 'unchanged', revision: 2 }]);
    await world.as(agent).put(`/api/notes/${id}`).send({ content: second }).expect(200);
  });
});

describe('merges of large notes', () => {
  const below = (name: string) => `${first}\n${name} below`;

  it('are made in batches of bounded bytes, off the event loop, and all of them are merged', async () => {
    const sent = await largeNotes(12);
    const { writeCounters } = deps();
    const before = { batches: writeCounters.batches, ...writeCounters.merges };
    const changes = sent.map((id) => putOf({ content: below('x') }, { id, baseRevision: 1 }));
    const { result, bytesAtOnce } = await reading(() => client.sync({ changes, limit: 1 }));
    expect(statusesOf(result)).toEqual(['merged']);
    expect(bytesAtOnce).toBeLessThan(storedBudget.partBytes + slack);
    expect(writeCounters.batches - before.batches).toBe(2);
    expect(writeCounters.merges.inThread - before.inThread).toBe(12);
    expect(writeCounters.merges.inline).toBe(before.inline);
    const { body } = await world
      .as(agent)
      .get(`/api/notes/${sent.at(-1)}`)
      .expect(200);
    expect(body.content === `a line above\n${below('x')}`).toBe(true);
  });

  it('a later change follows an earlier one of the same base, though it is in another part', async () => {
    const [id = '', ...others] = await largeNotes(13);
    const fillers = others.map((other) => putOf({ content: 'x' }, { id: other, baseRevision: 1 }));
    const { results } = await client.push(
      putOf({ content: second.replace('line 1 of', 'line one of') }, { id, baseRevision: 2 }),
      ...fillers,
      putOf({ content: 'the last word' }, { id, baseRevision: 2 }),
    );
    expect(results.at(0)).toMatchObject({ status: 'applied', revision: 3 });
    expect(results.at(-1)).toMatchObject({ status: 'applied', revision: 4 });
  });

  it('many small pushes that meet in one transaction are each merged as if they were alone', async () => {
    const ids = await largeNotes(18);
    const { bytesAtOnce, result } = await reading(() =>
      Promise.all(
        ids.map((id, index) =>
          syncClient(world, agent, `c${index}`).sync({
            changes: [
              putOf(
                { content: first.replace('line 8 of', 'line VIII of') },
                { id, baseRevision: 1 },
              ),
            ],
            limit: 1,
          }),
        ),
      ),
    );
    expect(result.flatMap(statusesOf)).toEqual(ids.map(() => 'merged'));
    expect(bytesAtOnce).toBeLessThan(storedBudget.transactionBytes + slack);
  });
});

it('lines that repeat are merged off the event loop', async () => {
  const { writeCounters } = deps();
  const repeating = Array.from({ length: 10 }, () => aNoteId());
  const lines = 'the same line\n'.repeat(220);
  await client.push(...repeating.map((id) => putOf({ content: lines }, { id })));
  await client.push(
    ...repeating.map((id) => putOf({ content: `x\n${lines}y\n` }, { id, baseRevision: 1 })),
  );
  const before = { ...writeCounters.merges };
  const { results } = await client.push(
    ...repeating.map((id) => putOf({ content: `z\n${lines}w\n` }, { id, baseRevision: 1 })),
  );
  expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['merged']));
  expect(writeCounters.merges).toEqual({ ...before, inThread: before.inThread + 10 });
});
