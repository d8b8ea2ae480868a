import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { aNoteId, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { putOf, syncClient } from '../sync-client.ts';

let world: NotesWorld;
beforeAll(async () => {
  world = await createNotesWorld();
});
afterAll(() => world.close());

it('260,000 lines that one side inserted merge, and writes beside the merge succeed', async () => {
  const agent = anAgent();
  const id = aNoteId();
  const client = syncClient(world, agent);
  const lines = 'l\n'.repeat(260_000);
  await client.push(putOf({ content: 'a\nb\nc\n' }, { id }));
  await client.push(putOf({ content: `a\n${lines}b\nc\n` }, { id, baseRevision: 1 }));
  const neighbours = Array.from({ length: 20 }, (_, index) =>
    world
      .as(agent)
      .put(`/api/notes/${aNoteId()}`)
      .send({ title: `neighbour ${index}` }),
  );
  const [merge, ...responses] = await Promise.all([
    syncClient(world, agent, 'other').push(
      putOf({ content: 'a\nb\nC\n' }, { id, baseRevision: 1 }),
    ),
    ...neighbours,
  ]);
  expect(responses.map(({ status }) => status)).toEqual(neighbours.map(() => 201));
  expect(merge.results).toMatchObject([{ status: 'merged', revision: 3 }]);
  const { body } = await world.as(agent).get(`/api/notes/${id}`).expect(200);
  expect(body.content === `a\n${lines}b\nC\n`).toBe(true);
});
