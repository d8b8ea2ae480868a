import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Agent } from '@commonplace/contracts';
import { as, whileItWaits } from '@commonplace/testkit';
import { createWorld, type World } from '../support/agents-world.ts';
import { createCompany, createAgent, startRun, type TestCompany } from '../support/fixtures.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const budgetOf = async (home: TestCompany, agent: Agent) =>
  ((await as(world.app, home.owner).get(`/api/agents/${agent.id}`)).body as Agent).budget;
const attemptStart = (home: TestCompany, agent: Agent, reserveCents: number) =>
  as(world.app, home.owner).post(`/api/agents/${agent.id}/runs`).send({ reserveCents });
const finish = (home: TestCompany, id: string, body: object) =>
  as(world.app, home.owner)
    .post(`/api/runs/${id}/finish`)
    .send({ status: 'succeeded', ...body });

describe('a budget', () => {
  it('is reserved at the start and charged at the end, whatever the cost', async () => {
    const home = await createCompany(world);
    const ada = await createAgent(home, { budget: { monthlyCents: 100 } });
    const { run } = await startRun(home, ada, { reserveCents: 40 });
    expect(await budgetOf(home, ada)).toMatchObject({
      spentCents: 0,
      reservedCents: 40,
      remainingCents: 60,
    });
    await finish(home, run.id, { costCents: 130 });
    expect(await budgetOf(home, ada)).toMatchObject({
      spentCents: 130,
      reservedCents: 0,
      remainingCents: 0,
    });
  });

  it('returns an exact sum however often the most expensive run is charged', async () => {
    const home = await createCompany(world);
    const ada = await createAgent(home, { budget: { monthlyCents: 100_000_000_000 } });
    const { run } = await startRun(home, ada, { reserveCents: 1 });
    await world.sql(
      'update agents.budget_months set spent_cents = 9007199254740990 where agent_id = $1',
      [ada.id],
    );
    const finished = await finish(home, run.id, { costCents: 100_000_000_000 });
    expect([finished.status, finished.body.costCents]).toEqual([200, 100_000_000_000]);
    expect(await budgetOf(home, ada)).toMatchObject({
      spentCents: 2 ** 52,
      reservedCents: 0,
      remainingCents: 0,
    });
    const { body } = await as(world.app, home.owner).get(`/api/companies/${home.id}/agents`);
    expect(body.items[0].budget.spentCents).toBe(2 ** 52);
  });

  it('of a company that is set while its runs expire counts what they reserved once, as spent', async () => {
    const home = await createCompany(world);
    const ada = await createAgent(home);
    await startRun(home, ada, { reserveCents: 40 });
    // As the expiry of the run, in a transaction that has not committed yet.
    const expire = (table: string) =>
      `update agents.${table} set reserved_cents = 0, spent_cents = 40 where company_id = '${home.id}'`;
    const lock = `${expire('budget_months')}; ${expire('company_months')}`;
    const { status } = await whileItWaits({ ...world, lock, end: 'commit' }, () =>
      as(world.app, home.owner)
        .patch(`/api/companies/${home.id}`)
        .send({ budget: { monthlyCents: 100 } }),
    );
    expect(status).toBe(200);
    const read = await as(world.app, home.owner).get(`/api/companies/${home.id}`);
    expect(read.body.budget).toMatchObject({
      monthlyCents: 100,
      spentCents: 40,
      reservedCents: 0,
    });
  });

  it('charges the reservation if a run reports no cost', async () => {
    const home = await createCompany(world);
    const ada = await createAgent(home, { budget: { monthlyCents: 100 } });
    const { run } = await startRun(home, ada, { reserveCents: 40 });
    expect((await finish(home, run.id, {})).body.costCents).toBe(40);
    const second = await startRun(home, ada, { reserveCents: 60 });
    await as(world.app, home.owner).post(`/api/agents/${ada.id}/pause`);
    expect((await as(world.app, home.owner).get(`/api/runs/${second.run.id}`)).body.costCents).toBe(
      60,
    );
    expect(await budgetOf(home, ada)).toMatchObject({ spentCents: 100, reservedCents: 0 });
  });

  it('rejects what exceeds the limit, and everything once it is spent, with the remaining budget', async () => {
    const home = await createCompany(world);
    const ada = await createAgent(home, { budget: { monthlyCents: 100 } });
    expect((await attemptStart(home, ada, 101)).body).toMatchObject({
      code: 'budget_exhausted',
      remainingCents: 100,
      detail: 'Of 100 cents, 100 are left this month (0 spent, 0 reserved); the run reserves 101.',
    });
    expect((await attemptStart(home, ada, 100)).status).toBe(201);
    expect((await attemptStart(home, ada, 0)).body).toMatchObject({
      code: 'budget_exhausted',
      remainingCents: 0,
    });
    const poor = await createAgent(home, { budget: { monthlyCents: 0 } });
    expect((await attemptStart(home, poor, 0)).body.code).toBe('budget_exhausted');
  });

  it('counts without a limit, and rejects nothing', async () => {
    const home = await createCompany(world);
    const ada = await createAgent(home);
    await startRun(home, ada, { reserveCents: 100_000_000_000 });
    expect(await budgetOf(home, ada)).toMatchObject({
      reservedCents: 100_000_000_000,
      remainingCents: null,
    });
  });

  it('applies a new limit immediately', async () => {
    const home = await createCompany(world);
    const ada = await createAgent(home, { budget: { monthlyCents: 10 } });
    await startRun(home, ada, { reserveCents: 10 });
    const patch = (monthlyCents: number) =>
      as(world.app, home.owner).patch(`/api/agents/${ada.id}`).send({ budget: { monthlyCents } });
    expect((await patch(5)).body.budget.remainingCents).toBe(0);
    await patch(30);
    expect((await attemptStart(home, ada, 20)).status).toBe(201);
  });

  it('is not exceeded by twenty concurrent starts', async () => {
    const home = await createCompany(world);
    const ada = await createAgent(home, { budget: { monthlyCents: 70 } });
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => attemptStart(home, ada, 10)),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(7);
    expect(responses.filter(({ body }) => body.code === 'budget_exhausted')).toHaveLength(13);
    expect(await budgetOf(home, ada)).toMatchObject({ reservedCents: 70, remainingCents: 0 });
  });

  it('belongs to the UTC month: a run over midnight is charged to the month of its start', async () => {
    const home = await createCompany(world);
    const ada = await createAgent(home, { budget: { monthlyCents: 100 } });
    world.clock.now = new Date('2027-01-31T23:59:50.000Z');
    const { run } = await startRun(home, ada, { reserveCents: 80 });
    world.clock.now = new Date('2027-02-01T00:00:00.000Z');
    expect(await budgetOf(home, ada)).toEqual({
      monthlyCents: 100,
      spentCents: 0,
      reservedCents: 0,
      remainingCents: 100,
      monthlyTokens: null,
      spentTokens: 0,
      remainingTokens: null,
      periodStart: '2027-02-01T00:00:00.000Z',
      periodEnd: '2027-03-01T00:00:00.000Z',
    });
    await finish(home, run.id, { costCents: 90 });
    expect((await budgetOf(home, ada)).spentCents).toBe(0);
    world.clock.now = new Date('2027-01-31T23:59:59.999Z');
    expect(await budgetOf(home, ada)).toMatchObject({ spentCents: 90, remainingCents: 10 });
  });
});
