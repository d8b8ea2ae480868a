import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { syncDigest, type CompanyId, type SyncResult } from '@commonplace/contracts';
import { grant, operatorCaller } from '@commonplace/testkit';
import pg from 'pg';
import { aCompany, aNoteId, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { deleteOf, putOf, syncClient } from '../sync-client.ts';

let world: NotesWorld;
beforeAll(async () => {
  world = await createNotesWorld();
});
afterAll(() => world.close());

/** An agent with notes called n1 to n<count>. */
const withNotes = async (count: number) => {
  const agent = anAgent();
  const client = syncClient(world, agent);
  const changes = Array.from({ length: count }, (_, index) => putOf({ title: `n${index + 1}` }));
  await client.push(...changes);
  return { agent, client, ids: changes.map(({ id }) => id) };
};

const positionOf = (cursor: string) =>
  JSON.parse(Buffer.from(cursor, 'base64url').toString()) as Record<string, unknown>;
const cursorOf = (position: object) => Buffer.from(JSON.stringify(position)).toString('base64url');

/** Runs statements that only maintenance or a restore may run. */
const asOwner = async (statement: string, company: CompanyId) => {
  const client = new pg.Client({ connectionString: world.database.adminUrl });
  await client.connect();
  await client.query(statement, [company]);
  await client.end();
};

describe('pulling', () => {
  it('{} pulls everything from the start, also from a company without notes', async () => {
    const nothing = await world.as(anAgent()).post('/api/sync').send({}).expect(200);
    expect(nothing.body).toMatchObject({
      results: [],
      changes: [],
      hasMore: false,
      integrity: { count: 0, digest: '0000000000000000' },
    });
    const { agent, ids } = await withNotes(3);
    const all = await world.as(agent).post('/api/sync').send({}).expect(200);
    expect(all.body.changes.map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(all.body.counts.returned).toBe(3);
  });

  it('pages hold `limit` notes, in commit order, without gap or repetition', async () => {
    const { client, ids } = await withNotes(7);
    const first = await client.sync({ limit: 3 });
    expect([first.changes.length, first.hasMore, first.integrity]).toEqual([3, true, undefined]);
    const second = await client.sync({ cursor: first.cursor, limit: 3 });
    const third = await client.sync({ cursor: second.cursor, limit: 1 });
    expect(third.hasMore).toBe(false);
    const seen = [first, second, third].flatMap(({ changes }) => changes.map(({ id }) => id));
    expect(seen).toEqual(ids);
  });

  it('a large, streamed page has the same notes as small pages', async () => {
    const { agent, client } = await withNotes(120);
    await client.push(
      ...Array.from({ length: 180 }, (_, n) => putOf({ content: 'é'.repeat(n * 20) })),
    );
    const large = await world.as(agent).post('/api/sync').send({ limit: 290 }).expect(200);
    expect(large.headers['transfer-encoding']).toBe('chunked');
    const small: SyncResult[] = [];
    do {
      small.push(await client.sync({ limit: 50, cursor: small.at(-1)?.cursor ?? null }));
    } while (small.at(-1)?.hasMore);
    const all = small.flatMap(({ changes }) => changes);
    expect(all).toHaveLength(300);
    expect(large.body).toMatchObject({ hasMore: true, results: [], counts: { returned: 290 } });
    expect(large.body.changes).toEqual(all.slice(0, 290));
    const rest = await client.sync({ limit: 290, cursor: large.body.cursor });
    expect(rest.changes).toEqual(all.slice(290));
    expect(rest.integrity).toEqual(small.at(-1)?.integrity);
  });

  it('a note changed ten times since the cursor comes once, as it is now', async () => {
    const { client, agent, ids } = await withNotes(1);
    const { cursor } = await client.sync({});
    for (let index = 0; index < 10; index += 1) {
      await world
        .as(agent)
        .put(`/api/notes/${String(ids[0])}`)
        .send({ title: `t${index}` });
    }
    const { changes } = await client.sync({ cursor });
    expect(changes.map(({ title, revision }) => [title, revision])).toEqual([['t9', 11]]);
  });

  it('a first pull leaves out old tombstones, and sends deletions made in the meantime', async () => {
    const { client, ids } = await withNotes(6);
    await client.push(deleteOf(ids[5] ?? '', 1));
    const first = await client.sync({ limit: 2 });
    await client.push(deleteOf(ids[0] ?? '', 1), deleteOf(ids[3] ?? '', 1));
    const rest = await client.pullAll(first.cursor, 2);
    expect(rest.changes.map(({ id, deletedAt }) => [id, deletedAt !== null])).toEqual([
      [ids[2], false],
      [ids[4], false],
      [ids[0], true],
      [ids[3], true],
    ]);
  });

  it('a tombstone comes with deletedAt and without content', async () => {
    const { client, ids } = await withNotes(1);
    const { cursor } = await client.sync({});
    await client.push(deleteOf(ids[0] ?? '', 1));
    const { changes } = await client.sync({ cursor, clientId: 'other' });
    expect(changes).toEqual([
      expect.objectContaining({ id: ids[0], revision: 2, deletedAt: expect.any(String) }),
    ]);
    expect(changes[0]).not.toHaveProperty('content');
  });

  it('a page ends before 4 MiB, and a single note always fits', async () => {
    const { client } = await withNotes(0);
    const content = '"\n'.repeat(250_000);
    for (let index = 0; index < 6; index += 1) {
      await client.push(putOf({ content }));
    }
    const page = await client.sync({});
    expect(page.hasMore).toBe(true);
    expect(JSON.stringify(page).length).toBeLessThan(4.1 * 1024 * 1024);
    expect((await client.pullAll()).changes).toHaveLength(6);
  });

  it('the response to a push includes its effect: other notes are pulled, its own are not repeated', async () => {
    const { client, agent } = await withNotes(2);
    const { cursor } = await client.sync({});
    const colleague = syncClient(world, anAgent(agent.companyId));
    await colleague.push(putOf({ title: 'theirs' }));
    const response = await client.sync({ cursor, changes: [putOf({ title: 'mine' })] });
    expect(response.changes.map(({ title }) => title)).toEqual(['theirs']);
    expect((await client.sync({ cursor: response.cursor })).changes).toEqual([]);
  });

  it('the digest is that of the documented formula after every kind of change', async () => {
    const { client, ids } = await withNotes(4);
    await client.push(
      putOf({ title: 'changed' }, { id: ids[0] ?? '', baseRevision: 1 }),
      deleteOf(ids[1] ?? '', 1),
      deleteOf(ids[2] ?? '', 1),
      putOf({ title: 'back' }, { id: ids[2] ?? '', baseRevision: 1 }),
      putOf({ title: 'conflict' }, { id: ids[3] ?? '', baseRevision: null }),
    );
    const { changes, integrity } = await client.pullAll();
    const active = changes.filter(({ deletedAt }) => deletedAt === null);
    expect(integrity).toEqual({ count: active.length, digest: await syncDigest(active) });
    expect(active).toHaveLength(4);
  });

  it('notes of more than 4 MiB in results come through changes instead', async () => {
    const { client, agent } = await withNotes(0);
    const content = 'x'.repeat(500_000);
    const changes = Array.from({ length: 10 }, (_, index) =>
      putOf({ title: `t${index}`, content }),
    );
    await client.push(...changes);
    const small = changes.map(({ id }) => putOf({ title: 'lost' }, { id }));
    const {
      results,
      changes: pulled,
      hasMore,
      cursor,
    } = await syncClient(world, agent, 'b').sync({
      changes: small,
    });
    const shown = results.filter(({ note }) => note !== undefined).map(({ id }) => id);
    expect(shown).toHaveLength(8);
    const rest = hasMore ? (await client.pullAll(cursor)).changes : [];
    const arrived = new Set<string>([
      ...shown,
      ...pulled.map(({ id }) => id),
      ...rest.map(({ id }) => id),
    ]);
    expect(changes.every(({ id }) => arrived.has(id))).toBe(true);
  });

  it('notes that the cursor has passed are not shown beyond 4 MiB either: the client has them', async () => {
    const { client } = await withNotes(0);
    const content = 'x'.repeat(500_000);
    const changes = Array.from({ length: 10 }, () => putOf({ content }));
    await client.push(...changes);
    const { cursor } = await client.pullAll();
    const unfounded = changes.map(({ id }) => deleteOf(id, null));
    const { results } = await client.sync({ cursor, changes: unfounded });
    expect(results.every(({ status }) => status === 'conflict')).toBe(true);
    expect(results.filter(({ note }) => note !== undefined)).toHaveLength(8);
  });

  it('8 MiB are too much at once however they are sent, white space in chunks among them', async () => {
    const { agent } = await withNotes(0);
    const request = world.as(agent).post('/api/sync').set('Content-Type', 'application/json');
    request.write(`{"limit":1${' '.repeat(8 * 1024 * 1024)}`);
    request.write('}');
    const { status, body } = await request;
    expect([status, body.code]).toEqual([413, 'body_too_large']);
  });
});

describe('cursors', () => {
  const expectExpired = async (client: ReturnType<typeof syncClient>, cursor: string) => {
    const id = aNoteId();
    const response = await client.post({ cursor, changes: [putOf({ title: 'x' }, { id })] });
    expect([response.status, response.body.code]).toEqual([410, 'cursor_expired']);
    expect((await client.pullAll()).changes.map((note) => note.id)).not.toContain(id);
  };

  it.each([
    ['garbage', () => 'garbage'],
    ['one ahead of the server', (good: object) => cursorOf({ ...good, changeNo: 99 })],
    ['another epoch', (good: object) => cursorOf({ ...good, epoch: aNoteId() })],
    ['another company', (good: object) => cursorOf({ ...good, company: aCompany() })],
    ['another version', (good: object) => cursorOf({ ...good, v: 2 })],
    ['a negative position', (good: object) => cursorOf({ ...good, changeNo: -1 })],
  ])('%s is 410, and nothing of the push is applied', async (_name, spoil) => {
    const { client } = await withNotes(2);
    const { cursor } = await client.sync({});
    await expectExpired(client, spoil(positionOf(cursor)));
  });

  it('one of no use fails its own push, and none of those that are written with it', async () => {
    const { client } = await withNotes(1);
    const { cursor } = await client.sync({});
    const ahead = cursorOf({ ...positionOf(cursor), changeNo: 99 });
    const cursors = [cursor, cursor, ahead, cursor, null, ahead, cursor];
    const pushing = cursors.map((at, index) =>
      client.post({ cursor: at, changes: [putOf({ title: `pushed ${index}` })] }),
    );
    const responses = await Promise.all(pushing);
    const statuses = responses.map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 410, 200, 200, 410, 200]);
    const good = responses.filter(({ status }) => status === 200);
    for (const { body } of good as { body: SyncResult }[]) {
      // A request that shares a transaction still pulls the changes of the others.
      const rest = await client.pullAll(body.cursor);
      const ids = [...body.results, ...body.changes, ...rest.changes].map(({ id }) => id);
      expect(new Set(ids).size).toBeGreaterThanOrEqual(5);
      expect(rest.integrity?.count).toBe(6);
    }
    const { changes } = await client.pullAll(cursor);
    expect(changes.map(({ title }) => title).toSorted()).toEqual(
      [0, 1, 3, 4, 6].map((index) => `pushed ${index}`),
    );
  });

  it('one from before the kept tombstones is 410; a first pull that began later continues', async () => {
    const { client, agent, ids } = await withNotes(3);
    const old = await client.sync({});
    await client.push(deleteOf(ids[0] ?? '', 1));
    const fresh = await client.sync({ limit: 1 });
    await asOwner(
      'update notes.company_feed set floor = head where company_id = $1',
      agent.companyId,
    );
    await expectExpired(client, old.cursor);
    expect((await client.sync({ cursor: fresh.cursor })).changes.map(({ id }) => id)).toContain(
      ids[2],
    );
  });

  it('one from before a restored backup is 410', async () => {
    const { client, agent } = await withNotes(1);
    const { cursor } = await client.sync({});
    await asOwner(
      'update notes.company_feed set epoch = company_id where company_id = $1',
      agent.companyId,
    );
    await expectExpired(client, cursor);
  });
});

describe('the envelope', () => {
  it.each([
    ['changes without a clientId', { clientId: undefined, changes: [putOf({})] }],
    ['a change without a mutationId', { changes: [{ id: aNoteId(), op: 'put', note: {} }] }],
    ['an id that is no UUID', { changes: [{ ...putOf({}), id: 'x' }] }],
    ['an unknown operation', { changes: [{ ...putOf({}), op: 'patch' }] }],
    ['a base beyond an integer', { changes: [putOf({}, { baseRevision: 2_147_483_647 })] }],
    ['a delete with a note', { changes: [{ ...deleteOf(aNoteId(), 1), note: {} }] }],
    ['a limit of 0', { limit: 0 }],
    ['a limit of 1,001', { limit: 1001 }],
    ['an unknown field', { since: 1 }],
    ['501 changes at once', { changes: Array.from({ length: 501 }, () => putOf({})) }],
  ])('%s is 400, and nothing is applied', async (_name, body) => {
    const response = await world
      .as(anAgent())
      .post('/api/sync')
      .send({ clientId: 'c', ...body });
    expect([response.status, response.body.code]).toEqual([400, 'validation_failed']);
  });

  it('more than 8 MiB at once is 413', async () => {
    const changes = Array.from({ length: 17 }, () => putOf({ content: 'x'.repeat(520_000) }));
    expect((await syncClient(world, anAgent()).post({ changes })).status).toBe(413);
  });
});

describe('who may synchronise', () => {
  it('a viewer pulls, and is refused with changes', async () => {
    const { agent } = await withNotes(1);
    const viewer = operatorCaller({ companies: [grant(agent.companyId, 'viewer')] });
    const client = syncClient(world, viewer);
    expect((await client.sync({})).changes).toHaveLength(1);
    const refused = await client.post({ changes: [putOf({})] });
    expect([refused.status, refused.body.code]).toEqual([403, 'role_insufficient']);
  });

  it('an agent pulls with notes:read, and changes or a job need notes:write as well', async () => {
    const { agent } = await withNotes(1);
    const reader = syncClient(world, { ...agent, scopes: ['notes:read'] });
    expect((await reader.sync({})).changes).toHaveLength(1);
    const missing = { status: 403, code: 'insufficient_scope', scope: 'notes:write' };
    expect((await reader.post({ changes: [putOf({})] })).body).toMatchObject(missing);
    expect((await reader.post({ mode: 'background' })).body).toMatchObject(missing);
    const writer = syncClient(world, { ...agent, scopes: ['notes:write'] });
    expect((await writer.post({ changes: [putOf({})] })).body).toMatchObject({
      ...missing,
      scope: 'notes:read',
    });
    const both = syncClient(world, { ...agent, scopes: ['notes:read', 'notes:write'] });
    expect((await both.push(putOf({}))).results).toMatchObject([{ status: 'applied' }]);
  });

  it('a paused agent and an archived company pull, and are refused with changes', async () => {
    const { agent } = await withNotes(1);
    const paused = syncClient(world, { ...agent, agentStatus: 'paused' });
    const archived = syncClient(
      world,
      operatorCaller({
        companies: [grant(agent.companyId, 'owner', { companyStatus: 'archived' })],
      }),
    );
    for (const [client, code] of [
      [paused, 'agent_paused'],
      [archived, 'company_archived'],
    ] as const) {
      expect((await client.sync({})).changes).toHaveLength(1);
      const refused = await client.post({ changes: [putOf({})] });
      expect([refused.status, refused.body.code]).toEqual([409, code]);
    }
  });

  it('an expired cursor takes precedence over the state of a rejected caller', async () => {
    const { agent, client } = await withNotes(1);
    const { cursor } = await client.sync({});
    const ahead = cursorOf({ ...positionOf(cursor), changeNo: 99 });
    const paused = syncClient(world, { ...agent, agentStatus: 'paused' });
    for (const mode of ['foreground', 'background'] as const) {
      const refused = await paused.post({ cursor: ahead, mode, changes: [putOf({})] });
      expect([refused.status, refused.body.code]).toEqual([410, 'cursor_expired']);
    }
  });

  it('an operator of several companies must name one', async () => {
    const operator = operatorCaller({ companies: [grant(aCompany()), grant(aCompany())] });
    expect((await syncClient(world, operator).post({})).body.code).toBe('company_required');
  });
});
