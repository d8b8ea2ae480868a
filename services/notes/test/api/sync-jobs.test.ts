import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, newId, type SyncJob } from '@commonplace/contracts';
import type { AgentCaller, Caller } from '@commonplace/identity';
import { grant, operatorCaller } from '@commonplace/testkit';
import pg from 'pg';
import { aCompany, aNoteId, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { startWorkers } from '../start-workers.ts';
import { putOf, syncClient } from '../sync-client.ts';

/** What the agents service says of those who ordered jobs, by their company. */
const verdicts = new Map<string, () => Promise<void>>();
let world: NotesWorld;
let stopWorkers: () => Promise<void>;

beforeAll(async () => {
  world = await createNotesWorld({
    instances: 2,
    authorizeJob: async ({ companyId }) => verdicts.get(companyId)?.(),
  });
  stopWorkers = startWorkers(world);
});

afterAll(async () => {
  await stopWorkers();
  await world.close();
});

const puts = (count: number) =>
  Array.from({ length: count }, (_, index) => putOf({ title: `note ${index}` }));

const order = async (caller: Caller, body: object): Promise<string> => {
  const { body: receipt, headers } = await world
    .as(caller)
    .post('/api/sync')
    .send({ clientId: 'laptop', mode: 'background', ...body })
    .expect(202);
  const { jobId } = receipt as { jobId: string };
  expect(receipt).toEqual({ jobId, status: 'queued' });
  expect(headers['location']).toBe(`/api/sync/${jobId}`);
  return jobId;
};

const read = async (caller: Caller, jobId: string): Promise<SyncJob> => {
  const { body, headers } = await world.as(caller).get(`/api/sync/${jobId}`).expect(200);
  const job = body as SyncJob;
  expect(headers['retry-after']).toBe(job.finishedAt === null ? '1' : undefined);
  return job;
};

const until = async (
  caller: Caller,
  jobId: string,
  isReached: (job: SyncJob) => boolean,
): Promise<SyncJob> => {
  for (let attempts = 0; attempts < 400; attempts += 1) {
    const job = await read(caller, jobId);
    if (isReached(job)) {
      return job;
    }
    await sleep(50);
  }
  throw new Error(`The job did not come so far: ${JSON.stringify(await read(caller, jobId))}`);
};

const ended = (caller: Caller, jobId: string): Promise<SyncJob> =>
  until(caller, jobId, (job) => job.finishedAt !== null);

const pullAll = (caller: Caller) => syncClient(world, caller).pullAll();

/** Stops the jobs of a company at a check, until it is let go on. */
const gate = (company: string) => {
  let checks = 0;
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    /** Waits at the check with this number, counted from 1. */
    at: (number: number) => {
      verdicts.set(company, async () => {
        checks += 1;
        await (checks === number ? opened : undefined);
      });
    },
    open: () => open(),
  };
};

describe('a synchronisation in the background', () => {
  it('applies in chunks what a foreground sync applies, and reports each outcome', async () => {
    const agent = anAgent();
    const changes = puts(1_201);
    const job = await ended(agent, await order(agent, { changes }));
    expect(job).toMatchObject({
      status: 'succeeded',
      progress: { done: 1_201, total: 1_201 },
      error: null,
      result: { hasMore: false, changes: [], counts: { applied: 1_201, rejected: 0, returned: 0 } },
    });
    expect(job.result?.results.map(({ mutationId }) => mutationId)).toEqual(
      changes.map(({ mutationId }) => mutationId),
    );
    expect(job.result?.integrity).toEqual((await pullAll(agent)).integrity);
    await world.as(agent).get(`/api/notes/${changes[1_200]?.id}`).expect(200);
  });

  it('is started by `Prefer: respond-async`, also for a mere pull', async () => {
    const agent = anAgent();
    await world.as(agent).put(`/api/notes/${aNoteId()}`).send({ title: 'there' }).expect(201);
    const { body } = await world
      .as(agent)
      .post('/api/sync')
      .set('Prefer', 'wait=5, respond-async')
      .send({})
      .expect(202);
    const job = await ended(agent, (body as { jobId: string }).jobId);
    expect(job.result?.changes.map(({ title }) => title)).toEqual(['there']);
    expect(job.progress).toEqual({ done: 0, total: 0 });
  });

  it('lets a change follow an earlier one of the same note, whichever chunks they are in', async () => {
    const agent = anAgent();
    const id = aNoteId();
    const first = putOf({ title: 'first' }, { id });
    const last = putOf({ title: 'last' }, { id });
    const job = await ended(agent, await order(agent, { changes: [first, ...puts(600), last] }));
    expect(job.result?.results.at(-1)).toMatchObject({ id, status: 'applied', revision: 2 });
    expect(job.result?.counts.conflicts).toBe(0);
  });

  it('reports conflicts, merges and rejections like the foreground', async () => {
    const agent = anAgent();
    const id = aNoteId();
    await world.as(agent).put(`/api/notes/${id}`).send({ content: 'theirs' }).expect(201);
    const changes = [putOf({ content: 'mine' }, { id }), putOf({ title: 'a\nb' }), putOf({})];
    const { result } = await ended(agent, await order(agent, { changes }));
    expect(result?.results).toMatchObject([
      { status: 'conflict', note: { id, content: 'theirs' }, conflictNoteId: expect.any(String) },
      { status: 'rejected', error: { code: 'validation_failed' } },
      { status: 'applied' },
    ]);
    expect(result?.changes.map(({ conflictOf }) => conflictOf)).toEqual([id]);
  });

  it('changes nothing the second time, when the receipt of the first was lost', async () => {
    const agent = anAgent();
    const changes = puts(3);
    await ended(agent, await order(agent, { changes }));
    const again = await ended(agent, await order(agent, { changes }));
    expect(again.result?.results.every(({ replayed }) => replayed)).toBe(true);
    expect((await pullAll(agent)).integrity?.count).toBe(3);
  });
});

describe('an order that is not taken', () => {
  it('is 410 with an expired cursor, and nothing is stored', async () => {
    const body = { clientId: 'a', mode: 'background', cursor: 'garbage', changes: puts(1) };
    await world.as(anAgent()).post('/api/sync').send(body).expect(410);
  });

  it('is 403 for a viewer, even without changes', async () => {
    const viewer = operatorCaller({ companies: [grant(aCompany(), 'viewer')] });
    await world.as(viewer).post('/api/sync').send({ mode: 'background' }).expect(403);
  });

  it('is 409 for a paused agent with changes', async () => {
    const paused: AgentCaller = { ...anAgent(), agentStatus: 'paused' };
    const body = { clientId: 'a', mode: 'background', changes: puts(1) };
    await world.as(paused).post('/api/sync').send(body).expect(409);
  });

  it('is 400 above 500 changes and 413 above 8 MiB at once, but not in the background', async () => {
    const agent = anAgent();
    const many = { clientId: 'a', changes: puts(501) };
    await world.as(agent).post('/api/sync').send(many).expect(400);
    const content = 'x'.repeat(500 * 1024);
    const large = {
      clientId: 'a',
      changes: puts(18).map((put) => ({ ...put, note: { content } })),
    };
    await world.as(agent).post('/api/sync').send(large).expect(413);
    const job = await ended(agent, await order(agent, large));
    expect(job.result?.counts.applied).toBe(18);
  });

  it('is 503 when fifty of the company wait already', async () => {
    const agent = anAgent();
    verdicts.set(agent.companyId, () => Promise.reject(new AppError('service_unavailable')));
    const jobs = [];
    for (let count = 0; count < 50; count += 1) {
      jobs.push(await order(agent, {}));
    }
    const refused = await world
      .as(agent)
      .post('/api/sync')
      .send({ mode: 'background' })
      .expect(503);
    expect(refused.headers['retry-after']).toBe('5');
    await Promise.all(jobs.map((id) => world.as(agent).delete(`/api/sync/${id}`).expect(204)));
  });
});

describe('a job', () => {
  it('is visible to its own agent and to operators only', async () => {
    const agent = anAgent();
    const company = agent.companyId;
    const id = await order(agent, {});
    await ended(agent, id);
    const statusFor = async (caller: Caller) =>
      (await world.as(caller).get(`/api/sync/${id}`)).status;
    expect(await statusFor({ ...agent, keyId: null, runId: newId() as never })).toBe(200);
    expect(await statusFor(operatorCaller({ companies: [grant(company, 'operator')] }))).toBe(200);
    expect(await statusFor(anAgent(company))).toBe(403);
    expect(await statusFor(anAgent())).toBe(403);
    expect(await statusFor(operatorCaller({ companies: [grant(company, 'viewer')] }))).toBe(403);
    expect(await statusFor(operatorCaller({ companies: [grant(aCompany())] }))).toBe(403);
    await world.as(anAgent(company)).delete(`/api/sync/${id}`).expect(403);
    await world.as(agent).get(`/api/sync/${newId()}`).expect(404);
    await world.as(agent).delete(`/api/sync/${newId()}`).expect(404);
    await world.as(agent).get('/api/sync/x').expect(400);
  });

  it('that was cancelled applies nothing after the response, and is finished', async () => {
    const agent = anAgent();
    const held = gate(agent.companyId);
    held.at(2);
    const id = await order(agent, { changes: puts(1_100) });
    await until(agent, id, ({ progress }) => progress.done === 500);
    await world.as(agent).delete(`/api/sync/${id}`).expect(204);
    held.open();
    const job = await read(agent, id);
    expect(job).toMatchObject({ status: 'cancelled', progress: { done: 500 }, result: null });
    await world.as(agent).delete(`/api/sync/${id}`).expect(409);
    await sleep(300);
    expect((await pullAll(agent)).changes).toHaveLength(500);
  });

  it('that has succeeded cannot be cancelled', async () => {
    const agent = anAgent();
    const id = await order(agent, {});
    await ended(agent, id);
    const { body } = await world.as(agent).delete(`/api/sync/${id}`).expect(409);
    expect(body).toMatchObject({ code: 'job_finished' });
  });

  it('stops at the next chunk when its agent may no longer write', async () => {
    const agent = anAgent();
    let checks = 0;
    verdicts.set(agent.companyId, async () => {
      checks += 1;
      if (checks > 1) {
        throw new AppError('agent_paused');
      }
    });
    const job = await ended(agent, await order(agent, { changes: puts(600) }));
    expect(job).toMatchObject({
      status: 'failed',
      error: { code: 'agent_paused' },
      progress: { done: 500, total: 600 },
      result: null,
    });
  });

  it('waits while the agents service is unavailable, then continues', async () => {
    const agent = anAgent();
    let isUnavailable = true;
    verdicts.set(agent.companyId, async () => {
      if (isUnavailable) {
        isUnavailable = false;
        throw new AppError('service_unavailable');
      }
    });
    const job = await ended(agent, await order(agent, { changes: puts(2) }));
    expect(job).toMatchObject({ status: 'succeeded', result: { counts: { applied: 2 } } });
  });
});

describe('finished jobs of a company', () => {
  const fill = async (companyId: string, count: number, isLarge: boolean): Promise<string[]> => {
    const admin = new pg.Client({ connectionString: world.database.adminUrl });
    await admin.connect();
    try {
      const { rows } = await admin.query<{ id: string }>(
        `with large as materialized (
           select to_json(string_agg(md5(i::text || random()::text), '')) as result
           from generate_series(1, 300000) i where $3
         ), made as (
           insert into notes.jobs (company_id, id, status, caller, request, total, created_at, finished_at, result)
           select $1, gen_random_uuid(), 'succeeded', '{"author":{"kind":"agent","id":"00000000-0000-4000-8000-000000000000"},"isLocal":false}', '{}', 0, now(), now() - n * interval '1 s', large.result
           from generate_series(1, $2) as n cross join large
           order by n
           returning id, finished_at
         ), queued as (
           insert into notes.job_queue (id, company_id, is_finished, available_at, created_at)
           select id, $1, true, now(), now() from made
         )
         select id from made order by finished_at desc`,
        [companyId, count, isLarge],
      );
      return rows.map(({ id }) => id);
    } finally {
      await admin.end();
    }
  };
  const statusOf = async (caller: Caller, id: string | undefined): Promise<number> =>
    (await world.as(caller).get(`/api/sync/${id}`)).status;

  it.each([
    { what: 'are 1,000 at most', count: 1_001, isLarge: false, keptAtLeast: 998 },
    { what: 'have results of 64 MiB at most', count: 9, isLarge: true, keptAtLeast: 3 },
  ])('$what, the newest ones', async ({ count, isLarge, keptAtLeast }) => {
    const companyId = aCompany();
    const operator = operatorCaller({ companies: [grant(companyId, 'owner')] });
    const ids = await fill(companyId, count, isLarge);
    await ended(operator, await order(operator, {}));
    expect(await statusOf(operator, ids[keptAtLeast])).not.toBe(404);
    expect(await statusOf(operator, ids.at(-1))).toBe(404);
  });
});
