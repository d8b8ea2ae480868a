import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { bytesReadDuring } from '../bytes-read.ts';
import { aNoteId, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { putOf, syncClient, type SyncClient } from '../sync-client.ts';

const large = 'a line of a large note\n'.repeat(14_000);
const readsAtOnce = 200;
/** What the rows and heads of so many requests take besides content. */
const slack = 2 * 1024 * 1024;

let world: NotesWorld;
let agent: ReturnType<typeof anAgent>;
let client: SyncClient;
let [largeId, smallId, since] = ['', '', ''];

/** What lookups of authors wait for. */
let namesMayCome: Promise<void> = Promise.resolve();
let lookups = 0;

beforeAll(async () => {
  world = await createNotesWorld({
    describeAuthors: async () => {
      lookups += 1;
      await namesMayCome;
      return { agent: null, names: {} };
    },
  });
});
afterAll(() => world.close());

beforeEach(async () => {
  agent = anAgent();
  client = syncClient(world, agent);
  [largeId, smallId] = [aNoteId(), aNoteId()];
  ({ cursor: since } = await client.sync({}));
  await client.push(putOf({ content: large }, { id: largeId }));
  await client.push(putOf({ content: 'small' }, { id: smallId }));
});

const deps = () => {
  const [one] = world.deps;
  if (!one) {
    throw new Error('A world has one instance at least');
  }
  return one;
};

/** Occupies every slot of the company during `work`. */
const withoutSlots = async (work: () => Promise<void>): Promise<void> => {
  const { promise: blocked, resolve: finish } = Promise.withResolvers<void>();
  const slots = Array.from({ length: availableParallelism() }, () =>
    deps().limits.read(agent.companyId, 0, () => blocked),
  );
  try {
    await work();
  } finally {
    finish();
    await Promise.all(slots);
  }
};

const contentOf = async (path: string, caller = agent): Promise<string> =>
  (await world.as(caller).get(path).expect(200)).body.content as string;

const other = async () => {
  const caller = anAgent();
  const id = aNoteId();
  await syncClient(world, caller, 'other').push(putOf({ content: large }, { id }));
  return { caller, path: `/api/notes/${id}` };
};

describe('large reads of one company', () => {
  it('wait for a slot without loaded content; others do not wait; all succeed', async () => {
    const neighbour = await other();
    let waiting: Promise<string[]> = Promise.resolve([]);
    let responseCount = 0;
    const { bytes } = await bytesReadDuring(deps().db, () =>
      withoutSlots(async () => {
        const reads = Array.from({ length: readsAtOnce }, async () => {
          const content = await contentOf(`/api/notes/${largeId}`);
          responseCount += 1;
          return content;
        });
        waiting = Promise.all(reads);
        expect(await contentOf(`/api/notes/${smallId}`)).toBe('small');
        expect((await contentOf(neighbour.path, neighbour.caller)) === large).toBe(true);
        expect(responseCount).toBe(0);
      }),
    );
    expect(bytes).toBeLessThan(slack);
    expect((await waiting).every((content) => content === large)).toBe(true);
  });

  it.each([
    ['a delta with a large note', () => client.sync({ cursor: since })],
    ['a small page from the start', () => client.sync({ limit: 10 })],
  ])('%s waits too, and is whole', async (_what, pull) => {
    let isFinished = false;
    let waiting = pull();
    await waiting;
    await withoutSlots(async () => {
      waiting = pull().finally(() => (isFinished = true));
      expect(await contentOf(`/api/notes/${smallId}`)).toBe('small');
      const { cursor } = await syncClient(world, anAgent(), 'other').sync({});
      expect(cursor).toBeTruthy();
      expect(isFinished).toBe(false);
    });
    const { changes, hasMore } = await waiting;
    const [first] = changes;
    expect(changes.map(({ id }) => id)).toEqual([largeId, smallId]);
    expect(first && 'content' in first && first.content === large).toBe(true);
    expect(hasMore).toBe(false);
  });

  it('an old version and a failed condition are read in a slot, and nothing is read when it is not modified', async () => {
    const path = `/api/notes/${largeId}`;
    let waiting: Promise<unknown[]> = Promise.resolve([]);
    let responseCount = 0;
    await withoutSlots(async () => {
      const count = () => (responseCount += 1);
      waiting = Promise.all([
        contentOf(`${path}/revisions/1`).finally(count),
        world
          .as(agent)
          .put(path)
          .set('If-Match', '"7"')
          .send({ content: 'x' })
          .expect(412)
          .then(({ body }) => body.current.content as string)
          .finally(count),
      ]);
      await world.as(agent).get(path).set('If-None-Match', '"1"').expect(304);
      expect(responseCount).toBe(0);
    });
    expect((await waiting).every((content) => content === large)).toBe(true);
  });
});

describe('reads of several texts', () => {
  it.each(['diff?from=1', 'blame'])('%s holds none while it waits for another', async (route) => {
    await client.push(putOf({ content: `${large}more\n` }, { id: largeId, baseRevision: 1 }));
    let reads: Promise<unknown>[] = [];
    const { bytes } = await bytesReadDuring(deps().db, async () => {
      reads = Array.from({ length: 30 }, () =>
        world.as(agent).get(`/api/notes/${largeId}/${route}`).expect(200),
      );
      await Promise.race(reads);
    });
    await Promise.all(reads);
    expect(bytes).toBeLessThan(12 * large.length);
  });
});

describe('edits of one large note', () => {
  const editsAtOnce = 20;
  /** Edits that are written and wait for names of authors; what is read once these come. */
  const editsWaiting = async (headers: Readonly<Record<string, string>>) => {
    await world
      .as(agent)
      .patch(`/api/notes/${largeId}`)
      .send({ edits: [{ op: 'append', text: 'first\n' }] })
      .expect(200);
    const { promise: blocked, resolve: nameAuthors } = Promise.withResolvers<void>();
    namesMayCome = blocked;
    const before = lookups;
    const edits = Array.from({ length: editsAtOnce }, () =>
      world
        .as(agent)
        .patch(`/api/notes/${largeId}`)
        .set(headers)
        .send({ edits: [{ op: 'append', text: 'more\n' }], sinceRevision: 1 })
        .expect(200)
        .then(({ body }) => body),
    );
    await untilLookups(before + editsAtOnce);
    const { bytes } = await bytesReadDuring(deps().db, async () => {
      nameAuthors();
      await Promise.all(edits);
    });
    return { bytes, bodies: await Promise.all(edits) };
  };
  const untilLookups = async (count: number): Promise<void> => {
    const deadline = Date.now() + 20_000;
    const isOver = () => lookups >= count || Date.now() > deadline;
    while (!isOver()) {
      await sleep(5);
    }
    expect(lookups).toBeGreaterThanOrEqual(count);
  };

  it('hold no text while they wait for what others changed: it is read again, one at a time', async () => {
    const { bytes, bodies } = await editsWaiting({});
    expect(bytes).toBeGreaterThan(editsAtOnce * large.length);
    expect(bodies.every(({ content }) => content.startsWith(large))).toBe(true);
    expect(new Set(bodies.map(({ revision }) => revision)).size).toBe(editsAtOnce);
  });

  it('read no text again for a receipt', async () => {
    const { bytes, bodies } = await editsWaiting({ Prefer: 'return=minimal' });
    expect(bytes).toBeLessThan(slack);
    expect(bodies.every(({ content, changed }) => content === undefined && changed.since)).toBe(
      true,
    );
  });
});
