import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { AppError, type NoteGrant, type SyncJob, type Undo } from '@commonplace/contracts';
import { grant, operatorCaller, until } from '@commonplace/testkit';
import pg from 'pg';
import { storedBudget } from '../../src/limits/stored-budget.ts';
import { runWorkers } from '../../src/jobs/run-workers.ts';
import { lockFeed, lockIndex, lockRows, releaseRows } from '../lock-rows.ts';
import { anAgent, aNoteId, createNotesWorld, type NotesWorld } from '../notes-world.ts';

const mebibyte = 1024 * 1024;
const home = anAgent();
const revoked = anAgent(home.companyId);
const grants: readonly NoteGrant[] = [{ folder: '', scope: 'read', mode: 'direct' }];
let isRevoked = false;
/** What those who check a background job wait for. */
let checking: () => Promise<void> = () => Promise.resolve();
let world: NotesWorld;
beforeAll(async () => {
  world = await createNotesWorld({
    recheckCaller: async (caller) => {
      if (isRevoked && caller.kind === 'agent' && caller.agentId === revoked.agentId) {
        throw new AppError('invalid_token');
      }
      return caller;
    },
    authorizeJob: async () => {
      await checking();
      if (isRevoked) {
        throw new AppError('agent_terminated');
      }
    },
  });
});
beforeEach(() => {
  isRevoked = false;
});
afterAll(() => world.close());

it('writes that waited behind others of their company are refused when their sender lost access meanwhile', async () => {
  await put(home, 'There is a feed to be locked');
  const lock = await lockFeed(world, home.companyId);
  const first = put(home, 'First');
  await until(() => waiting() === 1);
  const late = [put(home, 'Kept'), put(revoked, 'Revoked'), sync(['Revoked too'])];
  await until(() => waiting() === 4);
  await revokeAndRelease(lock);
  expect((await first).status).toBe(201);
  expect((await Promise.all(late)).map(({ status }) => status)).toEqual([201, 401, 401]);
  expect(await titles()).toEqual(['First', 'Kept', 'There is a feed to be locked']);
});

it('so are searches and contexts that waited for the index', async () => {
  await put(home, 'There is an index to be locked');
  await world.as(home).get('/api/notes?q=locked').expect(200);
  const lock = await lockIndex(world, home.companyId);
  await put(home, 'Locked too');
  const search = (caller: typeof home) => world.as(caller).get('/api/notes?q=locked');
  const requests = [
    search(revoked),
    world.as({ ...revoked, grants }).get('/api/notes?q=locked&match=best'),
    world.as(revoked).post('/api/context').send({ query: 'locked' }),
    search(home),
  ].map(async (request) => (await request).status);
  await sleep(500);
  await revokeAndRelease(lock);
  expect(await Promise.all(requests)).toEqual([401, 401, 401, 200]);
});

it('so are the changes of a background job', async () => {
  const before = await titles();
  const lock = await lockFeed(world, home.companyId);
  const first = put(home, 'Second');
  await until(() => waiting() === 1);
  const ordered = await sync(['By a job'], 'background');
  const stopping = new AbortController();
  const [deps] = world.deps;
  const working = deps && runWorkers(deps, stopping.signal);
  try {
    await until(() => waiting() === 2);
    await revokeAndRelease(lock);
    expect((await first).status).toBe(201);
    const { jobId } = ordered.body as { jobId: string };
    const job = async () => (await world.as(revoked).get(`/api/sync/${jobId}`)).body as SyncJob;
    await until(async () => (await job()).finishedAt !== null);
    expect(await job()).toMatchObject({ status: 'failed', error: { code: 'agent_terminated' } });
    expect(await titles()).toEqual([...before, 'Second'].toSorted());
  } finally {
    stopping.abort();
    await working;
  }
});

it('a background job that waits behind others holds nothing, and nothing of it is written once it is cancelled', async () => {
  const before = await titles();
  const lock = await lockFeed(world, home.companyId);
  const first = put(home, 'Before the job');
  await until(() => waiting() === 1);
  const ordered = await sync(['By a cancelled job'], 'background');
  const { jobId } = ordered.body as { jobId: string };
  await whileWorking(async () => {
    await until(() => waiting() === 2);
    await until(async () => (await idleInTransaction()) === 0);
    await world.as(revoked).delete(`/api/sync/${jobId}`).expect(204);
    await releaseRows(lock);
    expect((await first).status).toBe(201);
    await until(() => waiting() === 0);
  });
  expect((await world.as(revoked).get(`/api/sync/${jobId}`)).body).toMatchObject({
    status: 'cancelled',
    progress: { done: 0, total: 1 },
  });
  expect(await titles()).toEqual([...before, 'Before the job'].toSorted());
});

it('an undo that waits behind others holds nothing either', async () => {
  const author = anAgent(home.companyId);
  await put(author, 'Undone');
  const operator = operatorCaller({ companies: [grant(home.companyId, 'operator')] });
  const begin = Promise.withResolvers<void>();
  // The first check comes before it begins, and the second before it looks at notes.
  let checks = 0;
  checking = () => {
    checks += 1;
    return checks === 1 ? Promise.resolve() : begin.promise;
  };
  const { body } = await world
    .as(operator)
    .post('/api/notes/undo')
    .send({ keyId: author.keyId })
    .expect(202);
  const read = async () =>
    (await world.as(operator).get(`/api/notes/undo/${(body as { id: string }).id}`)).body as Undo;
  await whileWorking(async () => {
    await until(async () => (await read()).status === 'running');
    const lock = await lockFeed(world, home.companyId);
    begin.resolve();
    await until(() => waiting() === 1);
    await until(async () => (await idleInTransaction()) === 0);
    await releaseRows(lock);
    await until(async () => (await read()).finishedAt !== null);
  });
  expect(await read()).toMatchObject({ status: 'succeeded', outcomes: { removed: 1 } });
  expect(await titles()).not.toContain('Undone');
});

it('so are writes of a batch that is written one by one, when their sender lost access after it began', async () => {
  const noteId = await noteOfTwoVersions(home);
  const before = await titles();
  const feed = await lockFeed(world, home.companyId);
  const first = put(home, 'Third');
  await until(() => waiting() === 1);
  const restored = Array.from({ length: restoresMax + 1 }, () => restore(home, noteId));
  await until(() => waiting() === restored.length + 1);
  const late = put(revoked, 'Revoked later');
  await until(() => waiting() === restored.length + 2);
  const note = await lockRows(
    world,
    'select from notes.notes where company_id = $1 and id = $2 for update',
    [home.companyId, noteId],
  );
  await releaseRows(feed);
  expect((await first).status).toBe(201);
  // By now the batch as a whole has failed, and its first restore waits for the note.
  await revokeAndRelease(note);
  expect((await Promise.all(restored)).map(({ status }) => status)).toEqual(
    restored.map(() => 200),
  );
  expect((await late).status).toBe(401);
  expect(await titles()).toEqual([...before, 'Third'].toSorted());
});

it('so are writes that waited for memory that other companies use', async () => {
  const [kept, refused] = [await noteOfTwoVersions(home), await noteOfTwoVersions(home)];
  const budget = await reserveAll();
  const feed = await lockFeed(world, home.companyId);
  const first = put(home, 'Fourth');
  await until(() => waiting() === 1);
  const late = [
    restore(home, kept),
    ...Array.from({ length: restoresFree }, () => restore(revoked, refused)),
  ];
  await until(() => waiting() === late.length + 1);
  await releaseRows(feed);
  expect((await first).status).toBe(201);
  await revokeAnd(() => budget.release());
  expect((await Promise.all(late)).map(({ status }) => status)).toEqual([200, 401, 401]);
  expect(await revisionOf(kept)).toBe(3);
  expect(await revisionOf(refused)).toBe(2);
});

it('a large pull after a large push shows nothing to a caller who lost access while it waited for memory', async () => {
  const content = 'x'.repeat(500_000);
  await Promise.all(['Large', 'Large too'].map((title) => put(home, title, content)));
  const budget = await reserveAll();
  const pushed = Array.from({ length: 51 }, (_, index) => `Pushed ${index}`);
  const synced = sync(pushed);
  await until(async () => (await titles()).includes('Pushed 50'));
  await revokeAnd(() => budget.release());
  const { status, text } = await synced;
  expect(status).toBe(401);
  expect(text).not.toContain('xxx');
});

/** Restores that a transaction may make. Each counts as the longest note, of half a MiB. */
const restoresMax = 2 * (storedBudget.transactionBytes / mebibyte);
/** Restores that do not wait for memory. */
const restoresFree = 2 * (storedBudget.freeBytes / mebibyte);

const put = (caller: typeof home, title: string, content = '') =>
  Promise.resolve(world.as(caller).put(`/api/notes/${aNoteId()}`).send({ title, content }));

const noteOfTwoVersions = async (caller: typeof home): Promise<string> => {
  const id = aNoteId();
  for (const content of ['first', 'second']) {
    await world.as(caller).put(`/api/notes/${id}`).send({ title: 'Versioned', content });
  }
  return id;
};

const restore = (caller: typeof home, id: string) =>
  Promise.resolve(world.as(caller).post(`/api/notes/${id}/restore`).send({ revision: 1 }));

const revisionOf = async (id: string): Promise<number> =>
  ((await world.as(home).get(`/api/notes/${id}`)).body as { revision: number }).revision;

/** Reserves the memory for stored text that all companies share. */
const reserveAll = async () => {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const reserved = Promise.withResolvers<void>();
  void world.deps[0]?.reserveBytes(storedBudget.processBytes, () => {
    reserved.resolve();
    return promise;
  });
  await reserved.promise;
  return { release };
};

const revokeAnd = async (goOn: () => Promise<void> | void): Promise<void> => {
  isRevoked = true;
  // Longer than what was known of a caller holds.
  await sleep(600);
  await goOn();
};

const revokeAndRelease = (holder: pg.Client): Promise<void> => revokeAnd(() => releaseRows(holder));

const titles = async (): Promise<string[]> => {
  const { body } = await world.as(home).get('/api/notes?limit=200');
  return (body as { items: { title: string }[] }).items.map(({ title }) => title).toSorted();
};

const sync = (titles: readonly string[], mode = 'foreground') =>
  Promise.resolve(
    world
      .as(revoked)
      .post('/api/sync')
      .send({
        clientId: 'late',
        mode,
        changes: titles.map((title) => ({
          mutationId: title,
          id: aNoteId(),
          op: 'put',
          baseRevision: null,
          note: { title },
        })),
      }),
  );

/** Runs the workers of background jobs meanwhile. */
const whileWorking = async (work: () => Promise<void>): Promise<void> => {
  const stopping = new AbortController();
  const [deps] = world.deps;
  const working = deps && runWorkers(deps, stopping.signal);
  try {
    await work();
  } finally {
    stopping.abort();
    await working;
  }
};

/** Connections of the service that hold a transaction and wait for something else than the database. */
const idleInTransaction = async (): Promise<number> => {
  const observer = new pg.Client({ connectionString: world.database.adminUrl });
  await observer.connect();
  try {
    const { rows } = await observer.query<{ count: number }>(
      `select count(*)::integer as count from pg_stat_activity
       where datname = current_database() and usename = 'notes_app' and state = 'idle in transaction'`,
    );
    return rows[0]?.count ?? 0;
  } finally {
    await observer.end();
  }
};

const waiting = (): number => world.deps[0]?.writeCounters.waiting ?? 0;
