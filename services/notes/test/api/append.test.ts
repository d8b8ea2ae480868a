import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { aNoteId, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { putOf, syncClient } from '../sync-client.ts';

let world: NotesWorld;
beforeAll(async () => {
  world = await createNotesWorld({ instances: 2 });
});
afterAll(() => world.close());

it('clients that append to one note at once, on two instances, all keep their line, and no copy is made', async () => {
  const agent = anAgent();
  const id = aNoteId();
  const log = '# Log\n\n- begun\n';
  await syncClient(world, agent).push(putOf({ content: log }, { id }));
  const names = Array.from({ length: 12 }, (_, index) => `- entry ${index}`);
  const responses = await Promise.all(
    names.map((name, index) =>
      syncClient(world, agent, `c${index}`).sync(
        { changes: [putOf({ content: `${log}${name}\n` }, { id, baseRevision: 1 })] },
        index,
      ),
    ),
  );
  const results = responses.map((response) => response.results[0]);
  expect(results.map((result) => result?.status).toSorted()).toEqual([
    'applied',
    ...names.slice(1).map(() => 'merged'),
  ]);
  const inOrder = names.toSorted(
    (a, b) =>
      (results[names.indexOf(a)]?.revision ?? 0) - (results[names.indexOf(b)]?.revision ?? 0),
  );
  const { changes } = await syncClient(world, agent).pullAll();
  expect(changes.map(({ content }) => content)).toEqual([`${log}${inOrder.join('\n')}\n`]);
});
