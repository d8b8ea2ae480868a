import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AppError } from '@commonplace/contracts';
import { aNoteId, anAgent, createNotesWorld, namesOfIds, type NotesWorld } from '../notes-world.ts';
import { putOf, syncClient } from '../sync-client.ts';

let world: NotesWorld;
let describeAuthors = namesOfIds;
let requests = 0;
beforeAll(async () => {
  world = await createNotesWorld({
    describeAuthors: (request) => {
      requests += 1;
      return describeAuthors(request);
    },
  });
});
afterAll(() => world.close());
afterEach(() => {
  describeAuthors = namesOfIds;
});

type Named = { id: string; name: string | null };

/** A note of two agents with a conflict copy, and the lists that name authors. */
const aDisputedNote = async () => {
  const one = anAgent();
  const other = anAgent(one.companyId);
  const id = aNoteId();
  await syncClient(world, one).push(putOf({ content: 'base\n' }, { id }));
  await syncClient(world, other).push(putOf({ content: 'ours\n' }, { id, baseRevision: 1 }));
  await syncClient(world, one).push(putOf({ content: 'theirs\n' }, { id, baseRevision: 1 }));
  const get = async (path: string) => (await world.as(one).get(path).expect(200)).body;
  const lists = {
    activity: async (): Promise<Named[]> =>
      (await get('/api/notes/activity')).items.map((item: { author: Named }) => item.author),
    blame: async (): Promise<Named[]> =>
      (await get(`/api/notes/${id}/blame`)).ranges.map((range: { author: Named }) => range.author),
    conflicts: async (): Promise<Named[]> =>
      (await get(`/api/notes/${id}/conflicts`)).items.flatMap(
        (item: { createdBy: Named; updatedBy: Named }) => [item.createdBy, item.updatedBy],
      ),
  };
  return { lists };
};

describe.each(['activity', 'blame', 'conflicts'] as const)('authors in %s', (list) => {
  it('have their names, read in one request a page', async () => {
    const { lists } = await aDisputedNote();
    requests = 0;
    const authors = await lists[list]();
    expect(authors.length).toBeGreaterThan(0);
    expect(authors.map(({ name }) => name)).toEqual(authors.map(({ id }) => `Name of ${id}`));
    expect(requests).toBe(1);
  });

  it('have no name if the company does not know them, or while the agents service is unavailable', async () => {
    const { lists } = await aDisputedNote();
    const unavailable = async () => {
      throw new AppError('service_unavailable');
    };
    for (const lookup of [async () => ({ agent: null, names: {} }), unavailable]) {
      describeAuthors = lookup;
      const authors = await lists[list]();
      expect(authors.length).toBeGreaterThan(0);
      expect(new Set(authors.map(({ name }) => name))).toEqual(new Set([null]));
    }
  });
});

it('an empty list needs no names', async () => {
  requests = 0;
  await world.as(anAgent()).get('/api/notes/activity').expect(200, { items: [], nextCursor: null });
  expect(requests).toBe(0);
});
