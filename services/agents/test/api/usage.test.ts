import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, type Agent, type Usage } from '@commonplace/contracts';
import { as } from '@commonplace/testkit';
import { createApp } from '../../src/app.ts';
import { countEndedRuns } from '../../src/commands/count-ended-runs.ts';
import { expireRuns } from '../../src/commands/expire-runs.ts';
import { createWorld, type World } from '../support/agents-world.ts';
import { createAgent, createCompany, startRun, type TestCompany } from '../support/fixtures.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const getUsage = (home: TestCompany, query: string) =>
  as(world.app, home.owner).get(`/api/companies/${home.id}/usage?${query}`);

const usageOf = async (home: TestCompany, query: string): Promise<Usage> => {
  const { status, body } = await getUsage(home, query);
  expect(status).toBe(200);
  return body as Usage;
};

const runOnce = async (
  home: TestCompany,
  agent: Agent,
  outcome: { readonly costCents: number; readonly status?: 'failed' },
) => {
  const { run } = await startRun(home, agent);
  const finish = as(world.app, home.owner).post(`/api/runs/${run.id}/finish`);
  expect((await finish.send({ status: 'succeeded', ...outcome })).status).toBe(200);
};

/** A company with runs on two days: Ada spends 30 + 12 cents, Bea 5. */
const createBusyCompany = async () => {
  const home = await createCompany(world);
  const ada = await createAgent(home, { name: 'Ada', budget: { monthlyCents: 100 } });
  const bea = await createAgent(home, { name: '=Bea, "the" Bee;=1' });
  world.clock.now = new Date('2027-03-01T23:59:59.000Z');
  await runOnce(home, ada, { costCents: 30 });
  await runOnce(home, bea, { costCents: 5, status: 'failed' });
  world.clock.now = new Date('2027-03-03T00:00:00.000Z');
  await runOnce(home, ada, { costCents: 12 });
  return { home, ada, bea };
};

const range = 'from=2027-03-01&to=2027-03-03';
const noGroup = { agent: null, model: null, run: null };
const unreported = { inputTokens: 0, outputTokens: 0, reports: 0 };
const noRuns = { succeeded: 0, failed: 0, cancelled: 0, expired: 0 };

describe('the usage of a company', () => {
  it('has the ended runs and costs of every day of the range, days without runs included', async () => {
    const { home } = await createBusyCompany();
    const { items, ...rest } = await usageOf(home, `${range}&by=day`);
    expect(items).toEqual([
      {
        day: '2027-03-01',
        ...noGroup,
        runs: { ...noRuns, succeeded: 1, failed: 1 },
        ...unreported,
        costCents: 35,
      },
      { day: '2027-03-02', ...noGroup, runs: noRuns, ...unreported, costCents: 0 },
      {
        day: '2027-03-03',
        ...noGroup,
        runs: { ...noRuns, succeeded: 1 },
        ...unreported,
        costCents: 12,
      },
    ]);
    const total = { runs: { ...noRuns, succeeded: 2, failed: 1 }, ...unreported, costCents: 47 };
    expect(rest).toEqual({
      from: '2027-03-01',
      to: '2027-03-03',
      total,
      others: null,
      nextCursor: null,
    });
  });

  it('by agent is in order of cost, with the sum of those beyond the limit', async () => {
    const { home, ada } = await createBusyCompany();
    const all = await usageOf(home, `${range}&by=agent`);
    expect(all.items.map(({ agent, costCents }) => [agent?.name, costCents])).toEqual([
      ['Ada', 42],
      ['=Bea, "the" Bee;=1', 5],
    ]);
    expect(all.items[0]?.agent).toEqual({
      id: ada.id,
      name: 'Ada',
      status: 'active',
      monthlyCents: 100,
    });
    expect([all.others, all.total.costCents]).toEqual([null, 47]);
    const first = await usageOf(home, `${range}&by=agent&limit=1`);
    expect(first.items).toEqual(all.items.slice(0, 1));
    expect(first.others).toEqual({
      agents: 1,
      runs: { ...noRuns, failed: 1 },
      ...unreported,
      costCents: 5,
    });
  });

  it('of one agent has only its runs, by day and by run, also beyond what a report of all reads', async () => {
    const { home, ada } = await createBusyCompany();
    const days = await usageOf(home, `${range}&by=day&agentId=${ada.id}`);
    expect(days.items.map(({ day, costCents }) => [day, costCents])).toEqual([
      ['2027-03-01', 30],
      ['2027-03-02', 0],
      ['2027-03-03', 12],
    ]);
    expect(days.total).toMatchObject({ runs: { succeeded: 2, failed: 0 }, costCents: 42 });
    const runs = await usageOf(home, `${range}&by=run&limit=1&agentId=${ada.id}`);
    expect(runs.total).toEqual(days.total);
    const next = await usageOf(
      home,
      `${range}&by=run&limit=1&agentId=${ada.id}&cursor=${runs.nextCursor}`,
    );
    expect(
      [...runs.items, ...next.items].map(({ agent, costCents }) => [agent?.id, costCents]),
    ).toEqual([
      [ada.id, 12],
      [ada.id, 30],
    ]);
    expect(next.nextCursor).toBeNull();
    const unknown = await usageOf(home, `${range}&by=day&agentId=${newId()}`);
    expect(unknown.total.costCents).toBe(0);
  });

  it.each(['agent', 'model'])('by %s is not of one agent: 400 names the parameter', async (by) => {
    const { home, ada } = await createBusyCompany();
    const { status, body } = await getUsage(home, `${range}&by=${by}&agentId=${ada.id}`);
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({
        errors: [{ path: '/agentId', message: 'only with `by=day` or `by=run`' }],
      }),
    ]);
  });

  it('by day has every day of the range: 400 names a limit', async () => {
    const { home } = await createBusyCompany();
    const { status, body } = await getUsage(home, `${range}&by=day&limit=5`);
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({ errors: [expect.objectContaining({ path: '/limit' })] }),
    ]);
  });

  it('counts a run on the day it started, so the days of a month add up to its spent budget', async () => {
    const home = await createCompany(world);
    const ada = await createAgent(home);
    world.clock.now = new Date('2027-04-30T23:59:59.999Z');
    const { run } = await startRun(home, ada, { reserveCents: 8 });
    world.clock.now = new Date('2027-05-01T00:00:01.000Z');
    const finish = as(world.app, home.owner).post(`/api/runs/${run.id}/finish`);
    await finish.send({ status: 'succeeded' });
    expect((await usageOf(home, 'from=2027-05-01&to=2027-05-31&by=day')).total.costCents).toBe(0);
    expect((await usageOf(home, 'from=2027-04-30&to=2027-04-30&by=day')).total.costCents).toBe(8);
  });

  it('counts every way a run ends once: cancelled, paused, expired, finished twice', async () => {
    const home = await createCompany(world);
    const ada = await createAgent(home);
    world.clock.now = new Date('2027-06-01T12:00:00.000Z');
    const { run: finished } = await startRun(home, ada);
    for (let time = 0; time < 2; time += 1) {
      await as(world.app, home.owner)
        .post(`/api/runs/${finished.id}/finish`)
        .send({ status: 'failed', costCents: 3, reason: 'The test suite failed' });
    }
    const { run: cancelled } = await startRun(home, ada, { reserveCents: 4 });
    await as(world.app, home.owner).post(`/api/runs/${cancelled.id}/cancel`);
    await startRun(home, ada, { reserveCents: 5 });
    await as(world.app, home.owner).post(`/api/agents/${ada.id}/pause`);
    await as(world.app, home.owner).post(`/api/agents/${ada.id}/resume`);
    await startRun(home, ada, { reserveCents: 6, ttlSeconds: 60 });
    world.clock.now = new Date('2027-06-01T12:10:00.000Z');
    await expireRuns(world.deps.db, world.clock.now);
    expect((await usageOf(home, 'from=2027-06-01&to=2027-06-01&by=day')).total).toEqual({
      runs: { succeeded: 0, failed: 1, cancelled: 2, expired: 1 },
      ...unreported,
      costCents: 18,
    });
    const { body } = await as(world.app, home.owner).get(`/api/runs/${finished.id}`);
    expect(body.reason).toBe('The test suite failed');
  });

  it('gets the runs that ended before sums were kept, each once, with two processes at it', async () => {
    const { home } = await createBusyCompany();
    const before = await usageOf(home, `${range}&by=agent`);
    await world.sql('update agents.runs set is_counted = false where company_id = $1', [home.id]);
    await world.sql('delete from agents.usage_days where company_id = $1', [home.id]);
    const counted = await Promise.all([
      countEndedRuns(world.deps.db),
      countEndedRuns(world.deps.db),
    ]);
    expect(counted.reduce((sum, runs) => sum + runs, 0)).toBe(3);
    expect(await usageOf(home, `${range}&by=agent`)).toEqual(before);
    expect(await countEndedRuns(world.deps.db)).toBe(0);
  });

  it('is exact up to the largest sum, and never fails beyond it', async () => {
    const { home } = await createBusyCompany();
    await world.sql(
      `update agents.usage_days set cost_cents = 4503599627370496 where company_id = $1`,
      [home.id],
    );
    expect((await usageOf(home, `${range}&by=agent&limit=1`)).total.costCents).toBe(2 ** 52);
    expect((await usageOf(home, `${range}&by=day`)).total.costCents).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('of a range that is too long, reversed or no range is 400', async () => {
    const home = await createCompany(world);
    const statuses = await Promise.all(
      [
        'from=2027-01-01&to=2028-01-01&by=day',
        'from=2027-01-01&to=2028-01-02&by=day',
        'from=2027-01-02&to=2027-01-01&by=day',
        'from=0000-01-01&to=0000-01-02&by=day',
        'from=2027-02-29&to=2027-03-01&by=day',
        'from=2027-01-01&to=2027-01-01',
        'from=2027-01-01&by=day',
        'from=9999-12-30&to=9999-12-31&by=agent',
      ].map(async (query) => (await getUsage(home, query)).status),
    );
    expect(statuses).toEqual([200, 400, 400, 400, 400, 400, 400, 200]);
  });
});

describe('the usage by run', () => {
  it('is in pages, newest first, with the total of the range, and as CSV says where it goes on', async () => {
    const { home, ada } = await createBusyCompany();
    const first = await usageOf(home, `${range}&by=run&limit=2`);
    expect(
      first.items.map(({ agent, run, costCents }) => [agent?.name, run?.status, costCents]),
    ).toEqual([
      ['Ada', 'succeeded', 12],
      ['=Bea, "the" Bee;=1', 'failed', 5],
    ]);
    expect(first.total.costCents).toBe(47);
    const next = await usageOf(home, `${range}&by=run&limit=2&cursor=${first.nextCursor}`);
    expect([next.items.length, next.items[0]?.agent?.id, next.nextCursor]).toEqual([
      1,
      ada.id,
      null,
    ]);
    const { text } = await getUsage(home, `${range}&by=run&limit=2&format=csv`);
    expect(text.split('\r\n')[0]).toBe(
      'run_id,agent_id,agent,started_at,status,cost_cents,input_tokens,output_tokens,reports',
    );
    expect(text.split('\r\n')[3]).toMatch(/^more runs: cursor=\S+$/);
    expect((await getUsage(home, `${range}&by=day&cursor=${first.nextCursor}`)).status).toBe(400);
  });
});

describe('a range', () => {
  it('with more sums of agents and days than are read is 400, and names the day that it can end before', async () => {
    const { home } = await createBusyCompany();
    const app = createApp({ ...world.deps, usageRows: 2 });
    const get = (query: string) =>
      as(app, home.owner).get(`/api/companies/${home.id}/usage?${query}`);
    for (const by of ['day', 'agent', 'run']) {
      const { status, body } = await get(`${range}&by=${by}`);
      expect([status, body.errors[0].path]).toEqual([400, '/to']);
      expect(body.errors[0].message).toContain('must be before 2027-03-03');
      expect((await get(`from=2027-03-01&to=2027-03-02&by=${by}`)).status).toBe(200);
    }
    expect((await get(`${range}&by=model`)).status).toBe(200);
  });
});

describe('the usage as CSV', () => {
  it('is a table with a header, by `format` or `Accept`, to be saved as a file', async () => {
    const { home } = await createBusyCompany();
    const byFormat = await getUsage(home, `${range}&by=day&format=csv`);
    expect(byFormat.headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    expect(byFormat.headers['content-disposition']).toBe(
      'attachment; filename="usage-by-day-2027-03-01-2027-03-03.csv"',
    );
    expect(byFormat.text).toBe(
      [
        'day,succeeded,failed,cancelled,expired,cost_cents,input_tokens,output_tokens,reports',
        '2027-03-01,1,1,0,0,35,0,0,0',
        '2027-03-02,0,0,0,0,0,0,0,0',
        '2027-03-03,1,0,0,0,12,0,0,0',
        '',
      ].join('\r\n'),
    );
    const byAccept = await getUsage(home, `${range}&by=day`).set('Accept', 'text/csv');
    expect(byAccept.text).toBe(byFormat.text);
    const asJson = await getUsage(home, `${range}&by=day&format=json`).set('Accept', 'text/csv');
    expect(asJson.headers['content-type']).toContain('application/json');
  });

  it('holds no formula, whatever an agent is called, and says what is beyond the limit', async () => {
    const { home, ada, bea } = await createBusyCompany();
    const { text } = await getUsage(home, `${range}&by=agent&format=csv`);
    expect(text.split('\r\n').slice(1, 3)).toEqual([
      `${ada.id},Ada,100,2,0,0,0,42,0,0,0`,
      `${bea.id},"'=Bea, ""the"" Bee;'=1",,0,1,0,0,5,0,0,0`,
    ]);
    const short = await getUsage(home, `${range}&by=agent&format=csv&limit=1`);
    expect(short.text.split('\r\n')[2]).toBe(',1 more agents,,0,1,0,0,5,0,0,0');
  });
});
