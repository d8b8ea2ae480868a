import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { agentCaller } from '@commonplace/testkit';
import { aNoteId, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { putOf, syncClient } from '../sync-client.ts';

let world: NotesWorld;
beforeAll(async () => {
  world = await createNotesWorld();
});
afterAll(() => world.close());

it('pull none returns results and no changes, and the cursor stays where it is', async () => {
  const agent = anAgent();
  const client = syncClient(world, agent);
  const { cursor } = await client.pullAll();
  const other = syncClient(world, agentCaller({ companyId: agent.companyId }), 'other');
  await other.push(putOf({ title: 'theirs' }));
  const pushed = await client.sync({ cursor, pull: 'none', changes: [putOf({ title: 'mine' })] });
  expect(pushed.results.map(({ status }) => status)).toEqual(['applied']);
  expect([pushed.changes, pushed.cursor, pushed.hasMore]).toEqual([[], cursor, true]);
  const { changes } = await client.sync({ cursor: pushed.cursor });
  expect(changes.map(({ title }) => title)).toEqual(['theirs', 'mine']);
});

it('pull none without a cursor returns the start, from which everything is pulled', async () => {
  const client = syncClient(world, anAgent());
  const pushed = await client.sync({ pull: 'none', changes: [putOf({ title: 'a' })] });
  expect([pushed.changes, pushed.hasMore]).toEqual([[], true]);
  const all = await client.pullAll(pushed.cursor);
  expect(all.changes.map(({ title }) => title)).toEqual(['a']);
  const nothing = await client.sync({ cursor: all.cursor, pull: 'none' });
  expect([nothing.changes, nothing.hasMore, nothing.cursor]).toEqual([[], false, all.cursor]);
});

it('pull none with an expired cursor applies nothing', async () => {
  const agent = anAgent();
  const foreign = (await syncClient(world, anAgent()).pullAll()).cursor;
  const changes = [putOf({ title: 'a' })];
  const response = await syncClient(world, agent).post({ cursor: foreign, pull: 'none', changes });
  expect([response.status, response.body.code]).toEqual([410, 'cursor_expired']);
  expect((await syncClient(world, agent).pullAll()).changes).toEqual([]);
});

it.each([1, 500])('echo false leaves out the content of own notes, page size %i', async (limit) => {
  const agent = anAgent();
  const mine = syncClient(world, agent);
  await mine.push(putOf({ title: 'mine', content: 'x' }));
  const other = syncClient(world, agentCaller({ companyId: agent.companyId }), 'other');
  await other.push(putOf({ title: 'theirs', content: 'y' }));
  const seen: unknown[] = [];
  for (let cursor: string | null = null, hasMore = true; hasMore;) {
    const page = await mine.sync({ cursor, limit, echo: false });
    seen.push(...page.changes.map(({ title, content }) => [title, content]));
    ({ cursor, hasMore } = page);
  }
  expect(seen).toEqual([
    ['mine', undefined],
    ['theirs', 'y'],
  ]);
});

it('two clients that continued the same content keep both texts, and no copy is made', async () => {
  const agent = anAgent();
  const id = aNoteId();
  const client = syncClient(world, agent);
  await client.push(putOf({ content: 'log\n' }, { id }));
  const entries = ['- a\n- done\n', '- b\n- done\n'];
  const results = [];
  for (const [index, entry] of entries.entries()) {
    const change = putOf({ content: `log\n${entry}` }, { id, baseRevision: 1 });
    results.push(...(await syncClient(world, agent, `c${index}`).push(change)).results);
  }
  expect(results.map(({ status }) => status)).toEqual(['applied', 'merged']);
  const { changes } = await client.pullAll();
  expect(changes.map(({ content }) => content)).toEqual(['log\n- a\n- done\n- b\n- done\n']);
});
