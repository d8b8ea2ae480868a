import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AppError,
  checkOperatorCallerContract,
  newId,
  type CompanyId,
  type SyncJob,
} from '@commonplace/contracts';
import type { ServiceClient } from '@commonplace/http';
import type { AgentCaller, Caller } from '@commonplace/identity';
import { grant, operatorCaller, until as waitUntil } from '@commonplace/testkit';
import pg from 'pg';
import { createJobAuthorizer, type AuthorizeJob } from '../../src/clients/authorize-job.ts';
import { createCallerAccessReader } from '../../src/clients/read-caller-access.ts';
import { aCompany, aNoteId, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { startWorkers } from '../start-workers.ts';
import { putOf, syncClient } from '../sync-client.ts';
import { undoToEnd } from '../undo-to-end.ts';

/** What the agents service says of those who ordered jobs, by their company. */
const verdicts = new Map<string, AuthorizeJob>();
/** What the agents service says of every operator. */
const operatorNow: {
  accessEpoch?: number;
  memberSince?: string | null;
  hasSession: boolean;
} = { hasSession: true };
const callAgents = async (contract: unknown, { companyId }: { companyId: CompanyId }) => {
  const { hasSession, memberSince, ...epoch } = operatorNow;
  const membership = grant(companyId, 'operator');
  const since = memberSince ?? undefined;
  if (contract === checkOperatorCallerContract) {
    const named = memberSince === null ? null : { ...membership, since };
    return { operator: hasSession ? { isAdmin: false, ...epoch, membership: named } : null };
  }
  return { memberships: [membership], isComplete: true, ...epoch, memberSince: since };
};
const authorizeOperator = createJobAuthorizer(callAgents as unknown as ServiceClient);
/** Two of each instance. */
const workers = 4;
let world: NotesWorld;
let stopWorkers: () => Promise<void>;

beforeAll(async () => {
  world = await createNotesWorld({
    instances: 2,
    authorizeJob: async (authority) => verdicts.get(authority.companyId)?.(authority),
    readCallerAccess: createCallerAccessReader(callAgents as unknown as ServiceClient),
  });
  stopWorkers = startWorkers(world);
});

beforeEach(() => {
  Object.assign(operatorNow, { accessEpoch: 3, memberSince: 'Monday', hasSession: true });
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

  it('rejects a number beyond a double, and says of many unknown fields only some', async () => {
    const agent = anAgent();
    const unknown = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, index) => [`field${index}`, 1]),
    );
    const changes = [putOf({ properties: { n: 'BEYOND' } }), putOf(unknown)];
    const body = { clientId: 'laptop', mode: 'background', cursor: null, changes };
    const { body: receipt } = await world
      .as(agent)
      .post('/api/sync')
      .set('Content-Type', 'application/json')
      .send(JSON.stringify(body).replace('"BEYOND"', '-1e999'))
      .expect(202);
    const { result } = await ended(agent, (receipt as { jobId: string }).jobId);
    const rejected = { status: 'rejected', error: { code: 'validation_failed' } };
    expect(result?.results).toMatchObject([rejected, rejected]);
    expect(JSON.stringify(result?.results).length).toBeLessThan(3_000);
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

describe('what an operator ordered in the background', () => {
  /** An operator whose jobs the agents service is to be called for; `onCheck` is called before each time. */
  const anOperator = (onCheck: (number: number) => void) => {
    const companyId = aCompany();
    let checks = 0;
    verdicts.set(companyId, async (authority) => {
      checks += 1;
      onCheck(checks);
      await authorizeOperator(authority);
    });
    return operatorCaller({ companies: [grant(companyId, 'operator')] });
  };
  const takeAway = (atCheck: number) => (number: number) => {
    operatorNow.accessEpoch = number < atCheck ? 3 : 4;
  };
  it('ends at the next chunk after the access to the account was taken away', async () => {
    const operator = anOperator(takeAway(2));
    const job = await ended(operator, await order(operator, { changes: puts(600) }));
    expect(job).toMatchObject({
      status: 'failed',
      error: { code: 'role_insufficient', detail: expect.stringContaining('taken away') },
      progress: { done: 500, total: 600 },
    });
  });

  it('ends before it begins when the access was taken away while it waited, undos included', async () => {
    const operator = anOperator(takeAway(1));
    const job = await ended(operator, await order(operator, { changes: puts(1) }));
    expect(job).toMatchObject({ status: 'failed', progress: { done: 0 } });
    operatorNow.accessEpoch = 3;
    const undo = await undoToEnd(world.as(operator), { runId: newId() });
    expect(undo).toMatchObject({ status: 'failed', error: { code: 'role_insufficient' } });
  });

  it('ends although the operator who was removed meanwhile is a member again, undos included', async () => {
    const rejoin = (number: number) => {
      operatorNow.memberSince = number < 2 ? 'Monday' : 'Tuesday';
    };
    const operator = anOperator(rejoin);
    const job = await ended(operator, await order(operator, { changes: puts(600) }));
    expect(job).toMatchObject({
      status: 'failed',
      error: { code: 'role_insufficient', detail: expect.stringContaining('removed') },
      progress: { done: 500, total: 600 },
    });
    operatorNow.memberSince = 'Monday';
    const undo = await undoToEnd(world.as(operator), { runId: newId() });
    expect(undo).toMatchObject({ status: 'failed', error: { code: 'role_insufficient' } });
  });

  it('waits while the agents service is unavailable, and goes on with the access it had', async () => {
    const operator = anOperator((number) => {
      if (number === 1) {
        throw new AppError('service_unavailable');
      }
    });
    const id = await order(operator, { changes: puts(2) });
    expect(await ended(operator, id)).toMatchObject({ status: 'succeeded' });
    const undo = await undoToEnd(world.as(operator), { runId: newId() });
    expect(undo).toMatchObject({ status: 'succeeded' });
  });

  it('goes on if it was stored without epoch and membership, by a release before', async () => {
    const operator = anOperator((number) => {
      takeAway(1)(number);
      operatorNow.memberSince = 'Tuesday';
    });
    delete operatorNow.accessEpoch;
    delete operatorNow.memberSince;
    const id = await order(operator, { changes: puts(2) });
    expect(await ended(operator, id)).toMatchObject({ status: 'succeeded' });
  });

  it('is not taken from a session that has ended', async () => {
    const operator = anOperator(() => undefined);
    operatorNow.hasSession = false;
    const body = { clientId: 'a', mode: 'background', changes: puts(1) };
    const call = world.as(operator);
    expect((await call.post('/api/sync').send(body)).body.code).toBe('session_expired');
    const undo = await call.post('/api/notes/undo').send({ runId: newId() });
    expect(undo.body.code).toBe('session_expired');
    expect((await call.get('/api/sync').expect(200)).body.items).toEqual([]);
  });

  it('is not taken from a former member', async () => {
    const operator = anOperator(() => undefined);
    operatorNow.memberSince = null;
    const body = { clientId: 'a', mode: 'background', changes: puts(1) };
    const call = world.as(operator);
    expect((await call.post('/api/sync').send(body)).body.code).toBe('cross_company');
    const undo = await call.post('/api/notes/undo').send({ runId: newId() });
    expect(undo.body.code).toBe('cross_company');
  });
});

describe('jobs of several companies', () => {
  it('take their places in order: undos first, then the companies that no worker has a job of', async () => {
    const started: string[] = [];
    const held: (() => void)[] = [];
    const note = (name: string) => started.at(-1) !== name && started.push(name);
    const noted = (name: string): AgentCaller => {
      const agent = anAgent();
      verdicts.set(agent.companyId, async () => void note(name));
      return agent;
    };
    const flooding = anAgent();
    const hold = () =>
      new Promise<void>((resolve) => {
        note('flooding');
        held.push(resolve);
      });
    verdicts.set(flooding.companyId, hold);
    const flood = [];
    for (let count = 0; count < 6; count += 1) {
      flood.push(await order(flooding, { changes: puts(501) }));
    }
    await waitUntil(() => held.length === workers);

    const [many, one] = [noted('many'), noted('one')];
    for (const agent of [many, many, one]) {
      await order(agent, {});
    }
    const { companyId } = noted('undo');
    await world
      .as(operatorCaller({ companies: [grant(companyId, 'operator')] }))
      .post('/api/notes/undo')
      .send({ runId: newId(), dryRun: true })
      .expect(202);
    held.shift()?.();
    await waitUntil(() => held.length === workers);
    expect(started).toEqual(['flooding', 'undo', 'many', 'one', 'many', 'flooding']);

    verdicts.delete(flooding.companyId);
    held.forEach((letGo) => letGo());
    for (const id of flood) {
      expect((await ended(flooding, id)).status).toBe('succeeded');
    }
  }, 60_000);
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
