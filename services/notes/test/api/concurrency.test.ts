import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { noteInput, syncDigest, type SyncResult } from '@commonplace/contracts';
import type { SubmittedChange, WriteRequest } from '../../src/write/change.ts';
import { aCompany, aNoteId, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { nextMutation, putOf, syncClient } from '../sync-client.ts';

let world: NotesWorld;
beforeAll(async () => {
  world = await createNotesWorld({ instances: 2 });
});
afterAll(() => world.close());

const times = <Value>(count: number, valueAt: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => valueAt(index));

const firstDeps = () => {
  const [deps] = world.deps;
  if (!deps) {
    throw new Error('A world has one instance at least');
  }
  return deps;
};

const unconditional = { ifMatch: null, ifNoneMatch: null };
const author = { kind: 'agent', id: aNoteId() } as const;
const putChange = (title: string): SubmittedChange => ({
  rule: 'put',
  id: aNoteId(),
  fields: noteInput.parse({ title }),
  precondition: unconditional,
});
const requestOf = (...changes: SubmittedChange[]): WriteRequest => ({ author, changes });

describe('writers at once, on two instances', () => {
  it('16 writers never hide a change from a reader that pulls by cursor meanwhile', async () => {
    const agent = anAgent();
    const written = new Set<string>();
    const seen = new Map<string, number>();
    let isWriting = true;
    const writer = async (index: number) => {
      for (let round = 0; round < 20; round += 1) {
        const id = aNoteId();
        await world
          .as(agent, index)
          .put(`/api/notes/${id}`)
          .send({ title: `${index}.${round}` })
          .expect(201);
        written.add(id);
      }
    };
    const reader = async () => {
      const client = syncClient(world, agent);
      let cursor: string | null = null;
      for (let isLast = false; !isLast;) {
        isLast = !isWriting;
        const page: SyncResult = await client.sync({ cursor, limit: 7 }, seen.size);
        page.changes.forEach(({ id, revision }) => seen.set(id, revision));
        cursor = page.cursor;
        isLast = isLast && !page.hasMore;
      }
    };
    const reading = reader();
    await Promise.all(times(16, writer));
    isWriting = false;
    await reading;
    expect(new Set(seen.keys())).toEqual(written);
    const { changes, integrity } = await syncClient(world, agent).pullAll();
    expect(integrity).toEqual({ count: 320, digest: await syncDigest(changes) });
  }, 60_000);

  it('every edit of one note at once is in the note or in a copy, and revisions have no gap', async () => {
    const agent = anAgent();
    const id = aNoteId();
    const lines = times(30, (index) => `line ${index}`);
    await world
      .as(agent)
      .put(`/api/notes/${id}`)
      .send({ content: lines.join('\n') });
    const edits = times(12, (index) => {
      const content = lines.with(index * 2, `token-${index}`).join('\n');
      return syncClient(world, agent, `c${index}`).sync(
        { changes: [putOf({ content }, { id, baseRevision: 1 })] },
        index,
      );
    });
    const statuses = (await Promise.all(edits)).map(({ results }) => results[0]?.status);
    expect(statuses.toSorted()).toEqual(['applied', ...times(11, () => 'merged')]);
    const { changes } = await syncClient(world, agent).pullAll();
    const text = changes.map(({ content }) => content).join('\n');
    expect(
      times(12, (index) => text.split(`token-${index}`).length - 1).every((count) => count >= 1),
    ).toBe(true);
    const { body } = await world.as(agent).get(`/api/notes/${id}/revisions?limit=200`);
    expect(body.items.map(({ revision }: { revision: number }) => revision)).toEqual(
      times(13, (index) => 13 - index),
    );
  });

  it('of many conditional writes on one revision one wins; the others get 412 with the winner', async () => {
    const agent = anAgent();
    const id = aNoteId();
    await world.as(agent).put(`/api/notes/${id}`).send({ title: 'start' });
    const responses = await Promise.all(
      times(10, (index) =>
        world
          .as(agent, index)
          .put(`/api/notes/${id}`)
          .set('If-Match', '"1"')
          .send({ title: `t${index}` }),
      ),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 412)).toHaveLength(9);
    const won = responses.find(({ status }) => status === 200)?.body.title;
    expect(
      responses.every(({ status, body }) => status === 200 || body.current.title === won),
    ).toBe(true);
  });

  it('the same mutation sent to both instances at once is applied once', async () => {
    const agent = anAgent();
    for (let round = 0; round < 10; round += 1) {
      const changes = [putOf({ title: 'once' }, { mutationId: nextMutation() })];
      const responses = await Promise.all(
        times(4, (index) => syncClient(world, agent).sync({ changes }, index)),
      );
      const results = responses.map((response) => response.results[0]);
      expect(results.filter((result) => result?.replayed === undefined)).toHaveLength(1);
      expect(results.every((result) => result?.status === 'applied' && result.revision === 1)).toBe(
        true,
      );
    }
  });

  it('two companies that create the same id at once: one has it, the other is refused', async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = aNoteId();
      const responses = await Promise.all(
        times(4, (index) =>
          world.as(anAgent(), index).put(`/api/notes/${id}`).send({ title: 'mine' }),
        ),
      );
      expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 403, 403, 403]);
    }
  });
});

describe('a combined transaction', () => {
  it('a change that cannot be stored fails alone; its neighbours are committed', async () => {
    const company = aCompany();
    const { writeNotes } = firstDeps();
    // The first one keeps the queue busy, so that the others share a transaction.
    const poison: SubmittedChange = {
      ...putChange('x'),
      rule: 'put',
      fields: { ...noteInput.parse({}), content: 'a\u0000b' },
      precondition: unconditional,
    };
    const settled = await Promise.allSettled([
      writeNotes(company, requestOf(putChange('first'))),
      writeNotes(company, requestOf(putChange('a'), putChange('b'))),
      writeNotes(company, requestOf(putChange('c'), poison)),
      writeNotes(company, requestOf(putChange('d'))),
    ]);
    expect(settled.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    const { changes, integrity } = await syncClient(world, anAgent(company)).pullAll();
    expect(changes.map(({ title }) => title)).toEqual(['first', 'a', 'b', 'd']);
    expect(integrity).toEqual({ count: 4, digest: await syncDigest(changes) });
  });

  it.each([
    ['an error of our own', () => new RangeError('Maximum call stack size exceeded')],
    [
      'a statement that took too long',
      () => Object.assign(new Error('canceled'), { code: '57014' }),
    ],
    ['something that is no error', () => 'a word'],
  ])(
    'fails only in its own request, whatever is thrown before COMMIT: %s',
    async (_case, thrown) => {
      const company = aCompany();
      const { writeNotes } = firstDeps();
      const fields = Object.defineProperty({ ...noteInput.parse({}) }, 'folder', {
        get: () => {
          // oxlint-disable-next-line typescript/only-throw-error -- whatever is thrown, also what is no error.
          throw thrown();
        },
      });
      const poison: SubmittedChange = {
        ...putChange('x'),
        rule: 'put',
        fields,
        precondition: unconditional,
      };
      const settled = await Promise.allSettled([
        writeNotes(company, requestOf(putChange('first'))),
        ...times(10, (index) => writeNotes(company, requestOf(putChange(`before ${index}`)))),
        writeNotes(company, requestOf(poison)),
        ...times(10, (index) => writeNotes(company, requestOf(putChange(`behind ${index}`)))),
      ]);
      expect(
        settled.flatMap(({ status }, index) => (status === 'rejected' ? [index] : [])),
      ).toEqual([11]);
      expect((await syncClient(world, anAgent(company)).pullAll()).changes).toHaveLength(21);
    },
  );

  it('is not written again when the outcome of its COMMIT is unknown', async () => {
    const company = aCompany();
    const { writeNotes, db } = firstDeps();
    let commits = 0;
    const losing = new Set<object>();
    const loseResponse = (client: { query: unknown }) => {
      if (losing.has(client)) {
        return;
      }
      losing.add(client);
      const query = client.query as (...args: unknown[]) => unknown;
      const loseSecond = async (response: unknown) => {
        commits += 1;
        await response;
        if (commits === 2) {
          throw new Error('Connection terminated unexpectedly');
        }
        return response;
      };
      // Others commit meanwhile, such as the indexing of words.
      let hasWritten = false;
      Object.assign(client, {
        query: (...args: unknown[]) => {
          const response = query.apply(client, args);
          const isWriting = JSON.stringify(args[0]).includes('update notes.company_feed');
          const isLost = hasWritten && args[0] === 'commit';
          hasWritten = isWriting || (hasWritten && args[0] !== 'commit');
          return isLost ? loseSecond(response) : response;
        },
      });
    };
    db.pool.on('acquire', loseResponse);
    const settled = await Promise.allSettled(
      ['first', 'a', 'b', 'c'].map((title) => writeNotes(company, requestOf(putChange(title)))),
    );
    db.pool.off('acquire', loseResponse);
    expect(settled.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'rejected',
    ]);
    expect(commits).toBe(2);
    const { changes } = await syncClient(world, anAgent(company)).pullAll();
    expect(changes.map(({ revision }) => revision)).toEqual([1, 1, 1, 1]);
  });

  it('queued requests share a transaction: 200 at once take a handful of commits', async () => {
    const company = aCompany();
    const { writeNotes, db } = firstDeps();
    let commits = 0;
    const { pool } = db;
    const counted = new Set<object>();
    const count = (client: { query: unknown }) => {
      if (counted.has(client)) {
        return;
      }
      counted.add(client);
      const query = client.query as (...args: unknown[]) => unknown;
      Object.assign(client, {
        query: (...args: unknown[]) => {
          commits += args[0] === 'commit' ? 1 : 0;
          return query.apply(client, args);
        },
      });
    };
    pool.on('acquire', count);
    await Promise.all(
      times(200, (index) => writeNotes(company, requestOf(putChange(`t${index}`)))),
    );
    pool.off('acquire', count);
    expect(commits).toBeLessThan(20);
    expect((await syncClient(world, anAgent(company)).pullAll()).changes).toHaveLength(200);
  });
});
