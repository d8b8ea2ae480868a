import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { AppError, type SyncJob } from '@commonplace/contracts';
import pg from 'pg';
import { runWorkers } from '../../src/jobs/run-workers.ts';
import { anAgent, aNoteId, createNotesWorld, type NotesWorld } from '../notes-world.ts';

const home = anAgent();
const revoked = anAgent(home.companyId);
let isRevoked = false;
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
  const lock = await lockFeed();
  const first = put(home, 'First');
  await until(() => waiting() === 1);
  const late = [put(home, 'Kept'), put(revoked, 'Revoked'), sync('Revoked too')];
  await until(() => waiting() === 4);
  await revokeAndRelease(lock);
  expect((await first).status).toBe(201);
  expect((await Promise.all(late)).map(({ status }) => status)).toEqual([201, 401, 401]);
  expect(await titles()).toEqual(['First', 'Kept', 'There is a feed to be locked']);
});

it('so are the changes of a background job', async () => {
  const before = await titles();
  const lock = await lockFeed();
  const first = put(home, 'Second');
  await until(() => waiting() === 1);
  const ordered = await sync('By a job', 'background');
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

const put = (caller: typeof home, title: string) =>
  Promise.resolve(world.as(caller).put(`/api/notes/${aNoteId()}`).send({ title }));

/** Holds up every write of the company until it is released. */
const lockFeed = async (): Promise<pg.Client> => {
  const holder = new pg.Client({ connectionString: world.database.adminUrl });
  await holder.connect();
  await holder.query('begin');
  const statement = 'select from notes.company_feed where company_id = $1 for update';
  await holder.query(statement, [home.companyId]);
  return holder;
};

const revokeAndRelease = async (holder: pg.Client): Promise<void> => {
  isRevoked = true;
  // Longer than what was known of a caller holds.
  await sleep(600);
  await holder.query('commit');
  await holder.end();
};

const titles = async (): Promise<string[]> => {
  const { body } = await world.as(home).get('/api/notes');
  return (body as { items: { title: string }[] }).items.map(({ title }) => title).toSorted();
};

const sync = (title: string, mode = 'foreground') =>
  Promise.resolve(
    world
      .as(revoked)
      .post('/api/sync')
      .send({
        clientId: 'late',
        mode,
        changes: [
          { mutationId: '1', id: aNoteId(), op: 'put', baseRevision: null, note: { title } },
        ],
      }),
  );

const waiting = (): number => world.deps[0]?.writeCounters.waiting ?? 0;

const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isSo())) {
    await sleep(5);
  }
};
