import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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

describe('echo false hides nothing that the client has not sent itself', () => {
  const mine = 'mine\n';
  const theirs = 'theirs\n';
  const body = 'x'.repeat(480 * 1024);
  const edited = (before: string, after: string) => `${before}${body}\n${after}`;

  it('the text of merges that did not fit into the results comes through changes, page by page', async () => {
    const agent = anAgent();
    const client = syncClient(world, agent);
    const ids = Array.from({ length: 10 }, () => aNoteId());
    await client.push(...ids.map((id) => putOf({ content: edited('', '') }, { id })));
    const { cursor: start } = await client.pullAll();
    const other = syncClient(world, agentCaller({ companyId: agent.companyId }), 'other');
    const change = (id: string, content: string) => putOf({ content }, { id, baseRevision: 1 });
    await other.push(...ids.map((id) => change(id, edited('', theirs))));
    const changes = ids.map((id) => change(id, edited(mine, '')));
    const pushed = await client.sync({ cursor: start, echo: false, changes });
    const known = new Map<string, string | undefined>();
    pushed.results.forEach(({ id, note }) => known.set(id, note?.content));
    for (let page = pushed; ;) {
      page.changes.forEach(({ id, content }) => known.set(id, content));
      if (!page.hasMore) {
        break;
      }
      page = await client.sync({ cursor: page.cursor, echo: false });
    }
    expect(pushed.results.map(({ status }) => status)).toEqual(ids.map(() => 'merged'));
    expect(pushed.results.filter(({ note }) => !note)).not.toEqual([]);
    expect([...known.values()].map((content) => content === edited(mine, theirs))).toEqual(
      ids.map(() => true),
    );
  });

  it.each([1, 500])('an edit, a restore and another client, page size %i', async (limit) => {
    const agent = anAgent();
    const client = syncClient(world, agent);
    const [edit, restore, elsewhere, own] = [aNoteId(), aNoteId(), aNoteId(), aNoteId()];
    const other = syncClient(world, agentCaller({ companyId: agent.companyId }), 'other');
    await other.push(putOf({ content: 'theirs' }, { id: edit }), putOf({}, { id: restore }));
    await syncClient(world, agent, 'phone').push(putOf({ content: 'phone' }, { id: elsewhere }));
    await client.push(putOf({ content: 'own' }, { id: own }));
    const as = world.as(agent);
    const edits = [{ op: 'append', text: ' and mine' }];
    await as.patch(`/api/notes/${edit}`).send({ edits }).expect(200);
    await as.delete(`/api/notes/${restore}`).expect(204);
    await as.post(`/api/notes/${restore}/restore`).send({}).expect(200);
    const seen = new Map<string, string | undefined>();
    for (let cursor: string | null = null, hasMore = true; hasMore;) {
      const page = await client.sync({ cursor, limit, echo: false });
      page.changes.forEach(({ id, content }) => seen.set(id, content));
      ({ cursor, hasMore } = page);
    }
    expect(seen).toEqual(
      new Map([
        [elsewhere, 'phone'],
        [own, undefined],
        [edit, 'theirs and mine'],
        [restore, ''],
      ]),
    );
  });
});

it.each(['all', 'none'] as const)(
  'a replay reports a note whose deletion the cursor has passed, and the deletion comes with it, pull %s',
  async (pull) => {
    const agent = anAgent();
    const client = syncClient(world, agent);
    const put = putOf({ title: 'a' });
    await client.push(put);
    await world.as(agent).delete(`/api/notes/${put.id}`).expect(204);
    const { cursor } = await client.pullAll();
    for (const at of [cursor, null]) {
      const replay = await client.sync({ cursor: at, pull, changes: [put] });
      expect(replay.results.map(({ status, replayed }) => [status, replayed])).toEqual([
        ['applied', true],
      ]);
      expect(replay.changes.map(({ id, deletedAt }) => [id, deletedAt !== null])).toEqual([
        [put.id, true],
      ]);
    }
  },
);
