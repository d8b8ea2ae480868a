import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Agent } from '@commonplace/contracts';
import { as, serviceCaller } from '@commonplace/testkit';
import pg from 'pg';
import { finishCancellations } from '../../src/commands/finish-cancellations.ts';
import { createWorld, type World } from '../support/agents-world.ts';
import {
  agentWithKey,
  createCompany,
  createKey,
  createAgent,
  startRun,
  type TestCompany,
} from '../support/fixtures.ts';

const runsMax = 5;
let world: World;
let home: TestCompany;
let ada: Agent;
beforeAll(async () => {
  world = await createWorld({ runningRunsMax: runsMax });
});
beforeEach(async () => {
  home = await createCompany(world);
  ada = await createAgent(home);
});
afterAll(() => world.close());

const owner = () => as(world.app, home.owner);
const attemptStart = () => owner().post(`/api/agents/${ada.id}/runs`).send({});
const change = (action: 'pause' | 'resume' | 'terminate') =>
  owner().post(`/api/agents/${ada.id}/${action}`);
const statuses = async () =>
  Object.fromEntries(
    (
      await world.sql(
        'select status, count(*)::integer as runs from agents.runs where agent_id = $1 group by 1',
        [ada.id],
      )
    ).map(({ status, runs }) => [status, runs]),
  );
const verify = async (id: string) =>
  (await as(world.app, serviceCaller('gateway')).post('/internal/runs/verify').send({ runId: id }))
    .body.run as object | null;

/** Copies a run `count` times, like data from before the limit existed. */
const copyRun = (runId: string, count: number) =>
  world.sql(
    `with copies as (
       insert into agents.runs
       select company_id, gen_random_uuid(), agent_id, status, trigger, ttl_seconds, started_at,
         finished_at, token_expires_at, budget_month, reserved_cents, cost_cents
       from agents.runs, generate_series(1, $2) where id = $1
       returning company_id, agent_id, budget_month, reserved_cents
     )
     update agents.budget_months b set reserved_cents = b.reserved_cents + copies.cents
     from (
       select company_id, agent_id, budget_month, sum(reserved_cents) as cents from copies
       group by 1, 2, 3
     ) copies
     where b.company_id = copies.company_id and b.agent_id = copies.agent_id
       and b.month = copies.budget_month`,
    [runId, count],
  );

describe('the running runs of an agent', () => {
  it('are limited, even with concurrent starts; one that ends frees a slot', async () => {
    const responses = await Promise.all(Array.from({ length: 12 }, attemptStart));
    const started = responses.filter(({ status }) => status === 201);
    expect(started).toHaveLength(runsMax);
    const others = responses.filter(({ status }) => status !== 201);
    expect(others.map(({ status, body }) => [status, body.code])).toEqual(
      others.map(() => [409, 'run_limit']),
    );
    await owner()
      .post(`/api/runs/${started[0]?.body.run.id}/finish`)
      .send({ status: 'succeeded' })
      .expect(200);
    expect((await attemptStart()).status).toBe(201);
    expect((await attemptStart()).body.code).toBe('run_limit');
  });

  it('count until their token expires, whether or not that is stored; each agent has its own limit', async () => {
    await Promise.all(Array.from({ length: runsMax }, attemptStart));
    const agent = as(world.app, await agentWithKey(home, ada));
    const refused = await agent.post(`/api/agents/${ada.id}/runs`).send({});
    expect(refused.body.code).toBe('run_limit');
    await startRun(home, await createAgent(home));
    world.clock.now = new Date(world.clock.now.getTime() + 900_000);
    expect((await attemptStart()).status).toBe(201);
  });
});

describe('an agent with more running runs than one request can cancel', () => {
  const count = 2_600;

  it.each([
    ['pause', 'paused'],
    ['terminate', 'terminated'],
  ] as const)(
    'is stopped by %s at once, and its runs are cancelled and booked once afterwards',
    async (action, status) => {
      const { run } = await startRun(home, ada, { reserveCents: 3 });
      await copyRun(run.id, count - 1);
      const key = await createKey(home, ada);
      const response = await change(action);
      expect([response.status, response.body.status]).toEqual([200, status]);
      expect((await statuses())['running']).toBeGreaterThan(0);
      expect(await verify(run.id)).toBeNull();
      const { body } = await owner().get(`/api/agents/${ada.id}/keys`);
      const revokedAt = status === 'paused' ? null : world.clock.now.toISOString();
      expect(body.items[0]).toMatchObject({ id: key.id, revokedAt });
      await finishCancellations(world.deps.db);
      expect(await statuses()).toEqual({ cancelled: count });
      const { budget } = (await owner().get(`/api/agents/${ada.id}`)).body as Agent;
      expect(budget).toMatchObject({ spentCents: 3 * count, reservedCents: 0 });
      const audit = await world.sql(
        `select count(*)::integer as entries from agents.activity
         where company_id = $1 and action = 'run.cancelled' and actor_id = $2`,
        [home.id, home.owner.operatorId],
      );
      expect(audit).toEqual([{ entries: count }]);
      expect(await finishCancellations(world.deps.db)).toBe(0);
    },
  );

  it('cannot be resumed before they are cancelled: 503, and none of them resumes', async () => {
    const { run } = await startRun(home, ada);
    await copyRun(run.id, count);
    await change('pause');
    const early = await change('resume');
    expect([early.status, early.body.code, early.headers['retry-after']]).toEqual([
      503,
      'busy',
      '1',
    ]);
    await finishCancellations(world.deps.db);
    expect((await change('resume')).body.status).toBe('active');
    expect(await statuses()).toEqual({ cancelled: count + 1 });
    expect(await verify(run.id)).toBeNull();
  });
});

describe('archiving a company', () => {
  it('commits at once with any number of runs, and is undone only after they are cancelled', async () => {
    const { run } = await startRun(home, ada);
    await copyRun(run.id, 2_600);
    const write = (status: string) => owner().patch(`/api/companies/${home.id}`).send({ status });
    expect((await write('archived')).body.status).toBe('archived');
    expect(await verify(run.id)).toBeNull();
    expect((await write('active')).status).toBe(503);
    await finishCancellations(world.deps.db);
    expect((await write('active')).body.status).toBe('active');
    expect(await statuses()).toEqual({ cancelled: 2_601 });
  });
});

describe('a run locked by another transaction while its agent is paused', () => {
  it('delays nothing, and is cancelled after the lock is released', async () => {
    const { run } = await startRun(home, ada);
    const other = await startRun(home, ada);
    const holder = new pg.Client({ connectionString: world.adminUrl });
    await holder.connect();
    try {
      await holder.query('begin');
      await holder.query('select from agents.runs where company_id = $1 and id = $2 for update', [
        home.id,
        run.id,
      ]);
      expect((await change('pause')).body.status).toBe('paused');
      expect(await statuses()).toEqual({ running: 1, cancelled: 1 });
      expect([await verify(run.id), await verify(other.run.id)]).toEqual([null, null]);
      expect(await finishCancellations(world.deps.db)).toBe(0);
    } finally {
      await holder.end();
    }
    expect(await finishCancellations(world.deps.db)).toBe(1);
    expect(await statuses()).toEqual({ cancelled: 2 });
  });
});
