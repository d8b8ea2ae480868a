import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, runId, type Agent, type Run } from '@commonplace/contracts';
import type { AgentCaller } from '@commonplace/identity';
import { as, serviceCaller } from '@commonplace/testkit';
import { createApp } from '../../src/app.ts';
import { deleteOldUsageReports } from '../../src/commands/delete-old-usage-reports.ts';
import { createReportQueue } from '../../src/commands/report-queue.ts';
import { createWorld, type World } from '../support/agents-world.ts';
import {
  agentWithKey,
  callerOf,
  createAgent,
  createCompany,
  startRun,
  type TestCompany,
} from '../support/fixtures.ts';

let world: World;
let replica: ReturnType<typeof createApp>;
beforeAll(async () => {
  world = await createWorld();
  const { db, clock } = world.deps;
  replica = createApp({ ...world.deps, bookReport: createReportQueue({ db, clock }) });
});
afterAll(() => world.close());

const owner = (home: TestCompany) => as(world.app, home.owner);
const byToken = (agent: Agent, run: Run): AgentCaller =>
  callerOf(agent, { runId: runId.parse(run.id), keyId: null });
const reportTo = (app: World['app'], caller: AgentCaller, { id }: Pick<Run, 'id'>) => {
  const request = as(app, caller).post(`/api/runs/${id}/usage`);
  return (body: object) => request.send({ mutationId: newId(), ...body });
};
const report = (caller: AgentCaller, run: Pick<Run, 'id'>, body: object) =>
  reportTo(world.app, caller, run)(body);
const budgetOf = async (home: TestCompany, agent?: Agent) =>
  (await owner(home).get(agent ? `/api/agents/${agent.id}` : `/api/companies/${home.id}`)).body
    .budget;
const runOf = async (home: TestCompany, run: Run): Promise<Run> =>
  (await owner(home).get(`/api/runs/${run.id}`)).body as Run;
const actionsOf = async (home: TestCompany, action: string) =>
  (await owner(home).get(`/api/companies/${home.id}/activity?action=${action}`)).body.items as {
    readonly entity: unknown;
    readonly detail: Record<string, unknown>;
  }[];

const begin = async (budget: object = {}, fields: object = {}) => {
  const home = await createCompany(world);
  const ada = await createAgent(home, { budget });
  const { run } = await startRun(home, ada, { ...fields });
  return { home, ada, run, caller: byToken(ada, run) };
};

describe('a report of usage', () => {
  it('adds to the run, its budget, and the sums of the day and the model', async () => {
    const { home, ada, run, caller } = await begin({ monthlyCents: 100, monthlyTokens: 1_000 });
    const mutationId = newId();
    const first = await report(caller, run, {
      mutationId,
      costCents: 30,
      inputTokens: 200,
      outputTokens: 50,
      model: 'large',
    });
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      mutationId,
      at: world.clock.now.toISOString(),
      costCents: 30,
      inputTokens: 200,
      outputTokens: 50,
      model: 'large',
      outcome: 'booked',
      total: { costCents: 30, inputTokens: 200, outputTokens: 50 },
    });
    const second = await report(caller, run, { outputTokens: 10 });
    expect(second.body.total).toEqual({ costCents: 30, inputTokens: 200, outputTokens: 60 });
    expect(await runOf(home, run)).toMatchObject({
      status: 'running',
      costCents: null,
      reportedCents: 30,
      inputTokens: 200,
      outputTokens: 60,
    });
    const sums = { spentCents: 30, reservedCents: 0, spentTokens: 260 };
    expect(await budgetOf(home, ada)).toMatchObject({
      ...sums,
      remainingCents: 70,
      remainingTokens: 740,
    });
    expect(await budgetOf(home)).toMatchObject({ ...sums, remainingCents: null });
    const day = world.clock.now.toISOString().slice(0, 10);
    const usage = async (by: string) =>
      (await owner(home).get(`/api/companies/${home.id}/usage?from=${day}&to=${day}&by=${by}`)).body
        .items;
    const used = { costCents: 30, inputTokens: 200, outputTokens: 60, reports: 2 };
    expect(await usage('day')).toMatchObject([used]);
    expect(await usage('agent')).toMatchObject([{ agent: { id: ada.id }, ...used }]);
    expect(await usage('run')).toMatchObject([{ run: { id: run.id, status: 'running' }, ...used }]);
    expect(await usage('model')).toMatchObject([
      { model: 'large', costCents: 30, inputTokens: 200, outputTokens: 50, reports: 1 },
      { model: null, costCents: 0, inputTokens: 0, outputTokens: 10, reports: 1 },
    ]);
  });

  it('is booked once, also by two replicas at once, and its repetition with other amounts is 409', async () => {
    const { home, ada, run, caller } = await begin();
    const body = { mutationId: 'once', costCents: 5 };
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        reportTo(index % 2 === 0 ? world.app : replica, caller, run)(body),
      ),
    );
    expect(new Set(all.map(({ text }) => text)).size).toBe(1);
    expect(all[0]?.status).toBe(200);
    const other = await report(caller, run, { ...body, costCents: 6 });
    expect([other.status, other.body.code]).toEqual([409, 'mutation_id_reused']);
    expect((await budgetOf(home, ada)).spentCents).toBe(5);
  });

  it('is paid from the reservation first; cancelling books the larger of both', async () => {
    const { home, ada, run, caller } = await begin({ monthlyCents: 100 }, { reserveCents: 40 });
    await report(caller, run, { costCents: 30 });
    expect(await budgetOf(home, ada)).toMatchObject({ spentCents: 0, reservedCents: 40 });
    await report(caller, run, { costCents: 25 });
    expect(await budgetOf(home, ada)).toMatchObject({ spentCents: 15, reservedCents: 40 });
    const { run: idle } = await startRun(home, ada, { reserveCents: 10 });
    await owner(home).post(`/api/runs/${run.id}/cancel`);
    await owner(home).post(`/api/runs/${idle.id}/cancel`);
    expect([(await runOf(home, run)).costCents, (await runOf(home, idle)).costCents]).toEqual([
      55, 10,
    ]);
    expect(await budgetOf(home, ada)).toMatchObject({ spentCents: 65, reservedCents: 0 });
    expect(await budgetOf(home)).toMatchObject({ spentCents: 65, reservedCents: 0 });
  });

  it.each([
    [undefined, 55],
    [20, 20],
    [70, 70],
  ])('of 55 and finishing with %s costs %i', async (costCents, expected) => {
    const { home, ada, run, caller } = await begin({}, { reserveCents: 40 });
    await report(caller, run, { costCents: 55 });
    const finish = owner(home).post(`/api/runs/${run.id}/finish`);
    const finished = await finish.send({ status: 'succeeded', costCents });
    expect([finished.status, finished.body.costCents]).toEqual([200, expected]);
    for (const budget of [await budgetOf(home, ada), await budgetOf(home)]) {
      expect(budget).toMatchObject({ spentCents: expected, reservedCents: 0 });
    }
    const day = world.clock.now.toISOString().slice(0, 10);
    const path = `/api/companies/${home.id}/usage?from=${day}&to=${day}&by=day`;
    expect((await owner(home).get(path)).body.total.costCents).toBe(expected);
  });

  it('of tokens only leaves the reservation as the cost of a run that states none', async () => {
    const { home, run, caller } = await begin({}, { reserveCents: 40 });
    await report(caller, run, { inputTokens: 5 });
    const finish = owner(home).post(`/api/runs/${run.id}/finish`);
    expect((await finish.send({ status: 'succeeded' })).body).toMatchObject({
      costCents: 40,
      reportedCents: null,
      inputTokens: 5,
    });
  });
});

describe('a limit', () => {
  it.each([
    ['agent', 'cents', { monthlyCents: 100 }],
    ['agent', 'tokens', { monthlyTokens: 100 }],
    ['company', 'cents', { monthlyCents: 100 }],
    ['company', 'tokens', { monthlyTokens: 100 }],
  ])(
    'of the %s in %s books the report that exceeds it, ends the run, and responds with 409 from then on',
    async (of, unit, budget) => {
      const { home, ada, run, caller } = await begin(of === 'agent' ? budget : {});
      await (of === 'company' &&
        owner(home).patch(`/api/companies/${home.id}`).send({ budget }).expect(200));
      const amount = (value: number) =>
        unit === 'cents' ? { costCents: value } : { inputTokens: value };
      expect((await report(caller, run, amount(100))).status).toBe(200);
      const body = { mutationId: 'last', ...amount(30) };
      const last = await report(caller, run, body);
      const month = world.clock.now.toISOString().slice(0, 7);
      expect([last.status, last.body]).toEqual([
        409,
        expect.objectContaining({
          code: 'budget_exhausted',
          booked: true,
          limit: { of, unit, month, limit: 100, used: 130 },
        }),
      ]);
      expect(await runOf(home, run)).toMatchObject({ status: 'cancelled', reason: 'budget' });
      const verified = await as(world.app, serviceCaller('gateway'))
        .post('/internal/runs/verify')
        .send({ runId: run.id });
      expect(verified.body).toEqual({ run: null });
      const { requestId: _, ...again } = (await report(caller, run, body)).body;
      const { requestId: __, ...before } = last.body;
      expect(again).toEqual(before);
      const late = await report(caller, run, amount(1));
      expect([late.status, late.body.code]).toEqual([409, 'run_finished']);
      const used = unit === 'cents' ? 'spentCents' : 'spentTokens';
      expect((await budgetOf(home, ada))[used]).toBe(130);
      expect((await budgetOf(home))[used]).toBe(130);
      expect(await actionsOf(home, 'budget.exhausted')).toMatchObject([
        {
          entity: { type: of, id: of === 'agent' ? ada.id : home.id },
          detail: { runId: run.id, unit, limit: 100, used: 130, booked: true },
        },
      ]);
      expect(await actionsOf(home, 'run.cancelled')).toMatchObject([
        { detail: { because: 'budget' } },
      ]);
      expect(await actionsOf(home, 'budget.warned')).toHaveLength(1);
      const start = await owner(home).post(`/api/agents/${ada.id}/runs`).send({});
      expect([start.status, start.body.code]).toEqual([409, 'budget_exhausted']);
    },
  );

  it('is exceeded by one report of 64 at once on two replicas, whichever runs they are of', async () => {
    const { home, ada, run } = await begin({ monthlyCents: 205 });
    const others = await Promise.all(
      Array.from({ length: 7 }, async () => (await startRun(home, ada)).run),
    );
    const runs = [run, ...others];
    const all = await Promise.all(
      Array.from({ length: 64 }, (_, index) => {
        const of = runs[index % 8] ?? run;
        const app = index % 2 === 0 ? world.app : replica;
        return reportTo(app, byToken(ada, of), of)({ costCents: 10 });
      }),
    );
    const booked = all.filter(({ status }) => status === 200);
    const exceeding = all.filter(({ body }) => body.booked === true);
    expect([booked.length, exceeding.length]).toEqual([20, 1]);
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect((await budgetOf(home, ada)).spentCents).toBe(210);
    const states = await Promise.all(runs.map((each) => runOf(home, each)));
    expect(states.reduce((sum, { reportedCents }) => sum + (reportedCents ?? 0), 0)).toBe(210);
    const refused = all.filter(({ body }) => body.booked === false).length;
    const ended = states.filter(({ reason }) => reason === 'budget').length;
    expect(ended).toBe(refused + 1);
  });

  it('does not end a run that stays within its reservation', async () => {
    const { home, ada, run, caller } = await begin({ monthlyCents: 100 }, { reserveCents: 60 });
    const { run: other } = await startRun(home, ada, { reserveCents: 10 });
    expect((await report(byToken(ada, other), other, { costCents: 50 })).status).toBe(409);
    expect((await report(caller, run, { costCents: 60 })).status).toBe(200);
    const beyond = await report(caller, run, { costCents: 1 });
    expect([beyond.status, beyond.body.booked]).toEqual([409, false]);
    expect(await runOf(home, run)).toMatchObject({ costCents: 60, reportedCents: 60 });
    expect((await budgetOf(home, ada)).spentCents).toBe(110);
  });

  it('warns once at 80 % of it, and again when it is raised', async () => {
    const { home, ada, run, caller } = await begin({ monthlyCents: 100 });
    await report(caller, run, { costCents: 79 });
    expect(await actionsOf(home, 'budget.warned')).toEqual([]);
    await report(caller, run, { costCents: 1 });
    await report(caller, run, { costCents: 1 });
    const patch = (monthlyCents: number) =>
      owner(home).patch(`/api/agents/${ada.id}`).send({ budget: { monthlyCents } });
    await patch(1_000);
    await patch(101);
    expect(await actionsOf(home, 'budget.warned')).toMatchObject([
      { detail: { unit: 'cents', limit: 101, used: 81 } },
      { detail: { unit: 'cents', limit: 100, used: 80 } },
    ]);
  });

  it('of a company is not exceeded by twenty concurrent reservations of two agents', async () => {
    const { home, ada } = await begin();
    const bea = await createAgent(home);
    const budget = { monthlyCents: 70 };
    const patched = await owner(home).patch(`/api/companies/${home.id}`).send({ budget });
    expect(patched.body.budget).toMatchObject({ monthlyCents: 70, monthlyTokens: null });
    const starts = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        owner(home)
          .post(`/api/agents/${(index % 2 ? ada : bea).id}/runs`)
          .send({ reserveCents: 10 }),
      ),
    );
    expect(starts.filter(({ status }) => status === 201)).toHaveLength(7);
    expect(await budgetOf(home)).toMatchObject({ reservedCents: 70, remainingCents: 0 });
    expect(starts.find(({ status }) => status === 409)?.body.detail).toContain('of the company');
    const partial = await owner(home)
      .patch(`/api/companies/${home.id}`)
      .send({ budget: { monthlyTokens: 5 } });
    expect(partial.body.budget).toMatchObject({ monthlyCents: 70, monthlyTokens: 5 });
  });
});

describe('a run that goes on in the next month', () => {
  it('counts in the month of its start, and is checked against both', async () => {
    world.clock.now = new Date('2028-01-31T23:59:50.000Z');
    const { home, ada, run, caller } = await begin({ monthlyCents: 100 });
    await report(caller, run, { costCents: 20 });
    world.clock.now = new Date('2028-02-01T00:00:00.000Z');
    const { run: later } = await startRun(home, ada, { reserveCents: 70 });
    await report(caller, run, { costCents: 20 });
    expect(await budgetOf(home, ada)).toMatchObject({ spentCents: 0, reservedCents: 70 });
    const beyond = await report(caller, run, { costCents: 15 });
    expect([beyond.status, beyond.body.limit]).toEqual([
      409,
      { of: 'agent', unit: 'cents', month: '2028-02', limit: 100, used: 105 },
    ]);
    expect((await report(byToken(ada, later), later, { costCents: 70 })).status).toBe(200);
    const months = await world.sql(
      `select month::text, spent_cents::int as spent, carried_cents::int as carried
       from agents.budget_months where agent_id = $1 order by month`,
      [ada.id],
    );
    expect(months).toEqual([
      { month: '2028-01-01', spent: 55, carried: 0 },
      { month: '2028-02-01', spent: 0, carried: 35 },
    ]);
    world.clock.now = new Date();
  });
});

describe('who may report', () => {
  it('is the key of the agent or the token of the run, and nobody else', async () => {
    const { home, ada, run } = await begin();
    const bea = await createAgent(home);
    const { run: ofBea } = await startRun(home, bea);
    const foreign = await begin();
    const statusOf = async (caller: AgentCaller, of: Pick<Run, 'id'>) => {
      const { status, body } = await report(caller, of, { costCents: 1 });
      return [status, body.code];
    };
    const key = await agentWithKey(home, ada);
    expect(await statusOf(key, run)).toEqual([200, undefined]);
    expect(await statusOf(key, ofBea)).toEqual([403, 'not_own_agent']);
    expect(await statusOf(byToken(bea, ofBea), run)).toEqual([403, 'not_own_agent']);
    expect(await statusOf(key, foreign.run)).toEqual([403, 'cross_company']);
    expect(await statusOf(key, { id: runId.parse(newId()) })).toEqual([404, 'not_found']);
    const operator = await owner(home).post(`/api/runs/${run.id}/usage`).send({ mutationId: 'x' });
    expect([operator.status, operator.body.code]).toEqual([403, 'agent_only']);
    await world.sql('update agents.keys set revoked_at = now() where id = $1', [key.keyId]);
    expect(await statusOf(key, run)).toEqual([401, 'invalid_token']);
  });

  it('may repeat after the end of the run, and after the agent was paused', async () => {
    const { home, ada, run, caller } = await begin();
    const key = await agentWithKey(home, ada);
    const body = { mutationId: 'again', costCents: 3 };
    const first = await report(caller, run, body);
    await owner(home).post(`/api/agents/${ada.id}/pause`);
    for (const each of [caller, { ...key, agentStatus: 'paused' as const }]) {
      const repeated = await report(each, run, body);
      expect([repeated.status, repeated.body]).toEqual([200, first.body]);
      const late = { mutationId: `late ${each.keyId}`, costCents: 4, inputTokens: 5 };
      for (let attempt = 0; attempt < 2; attempt += 1) {
        expect((await report(each, run, late)).body.code).toBe('run_finished');
      }
      const other = await report(each, run, { ...late, costCents: 5 });
      expect(other.body.code).toBe('mutation_id_reused');
    }
    const listed = (await owner(home).get(`/api/runs/${run.id}/usage`)).body.items as object[];
    expect(listed).toHaveLength(3);
    // What was spent after the end is kept, and counts in no sum.
    expect(listed[0]).toMatchObject({ outcome: 'refused', costCents: 4, inputTokens: 5 });
    expect(await runOf(home, run)).toMatchObject({ costCents: 3, inputTokens: 0 });
    expect(await budgetOf(home, ada)).toMatchObject({ spentCents: 3, spentTokens: 0 });
    expect(await actionsOf(home, 'budget.exhausted')).toEqual([]);
    await owner(home).patch(`/api/companies/${home.id}`).send({ status: 'archived' });
    expect((await report(caller, run, { costCents: 3 })).body.code).toBe('company_archived');
    expect((await runOf(home, run)).costCents).toBe(3);
  });

  it('an ended run is found by its token for an hour, unless its company is archived', async () => {
    const { home, run } = await begin();
    const verify = async (includeEnded?: boolean) =>
      (
        await as(world.app, serviceCaller('gateway'))
          .post('/internal/runs/verify')
          .send({ runId: run.id, includeEnded })
      ).body;
    await owner(home).post(`/api/runs/${run.id}/cancel`);
    expect(await verify()).toEqual({ run: null });
    expect(await verify(true)).toMatchObject({
      run: null,
      endedRun: { runId: run.id, scopes: null, endedAt: world.clock.now.toISOString() },
    });
    world.clock.now = new Date(world.clock.now.getTime() + 3_600_000);
    expect(await verify(true)).toEqual({ run: null });
    world.clock.now = new Date(world.clock.now.getTime() - 1);
    expect(await verify(true)).toHaveProperty('endedRun');
    await owner(home).patch(`/api/companies/${home.id}`).send({ status: 'archived' });
    expect(await verify(true)).toEqual({ run: null });
  });
});

describe('the reports of a run', () => {
  it('are listed newest first, in pages, and deleted after 90 days', async () => {
    const { home, run, caller } = await begin({ monthlyCents: 10 });
    for (const mutationId of ['a', 'b', 'c']) {
      await report(caller, run, { mutationId, costCents: 4, model: 'm' });
    }
    const path = `/api/runs/${run.id}/usage`;
    const first = (await owner(home).get(`${path}?limit=2`)).body;
    const rest = (await owner(home).get(`${path}?limit=2&cursor=${first.nextCursor}`)).body;
    const items = [...first.items, ...rest.items];
    expect(items.map(({ mutationId, outcome }) => [mutationId, outcome])).toEqual([
      ['c', 'exceeded'],
      ['b', 'booked'],
      ['a', 'booked'],
    ]);
    const later = new Date(world.clock.now.getTime() + 91 * 86_400_000);
    expect(await deleteOldUsageReports(world.deps.db, world.clock.now)).toBe(0);
    expect(await deleteOldUsageReports(world.deps.db, later)).toBeGreaterThanOrEqual(3);
    expect((await owner(home).get(path)).body).toEqual({ items: [], nextCursor: null });
    expect((await owner(home).get(`/api/runs/${newId()}/usage`)).status).toBe(404);
  });
});

describe('amounts', () => {
  it('are in the currency of the company, which a 409 names, also when it is repeated later', async () => {
    const { home, run, caller } = await begin({ monthlyCents: 1 });
    await owner(home).patch(`/api/companies/${home.id}`).send({ currency: 'JPY' });
    const body = { mutationId: 'yen', costCents: 2 };
    const first = await report(caller, run, body);
    expect(first.body.detail).toContain('1 cents (JPY)');
    await owner(home).patch(`/api/companies/${home.id}`).send({ currency: 'EUR' });
    expect((await report(caller, run, body)).body.detail).toBe(first.body.detail);
  });

  it('and models are bounded: sums stay exact, and a day has 100 models', async () => {
    const { home, run, caller } = await begin();
    const most = { costCents: 100_000_000_000, inputTokens: 1_000_000_000_000 };
    expect((await report(caller, run, most)).status).toBe(200);
    await world.sql(
      'update agents.runs set reported_cents = 4503599627370496, input_tokens = 4503599627370496 where id = $1',
      [run.id],
    );
    const { body } = await report(caller, run, most);
    expect(body.total).toMatchObject({ costCents: 2 ** 52, inputTokens: 2 ** 52 });
    await Promise.all(
      Array.from({ length: 103 }, (_, index) =>
        report(caller, run, { model: `model ${index}`, outputTokens: 1 }),
      ),
    );
    const day = world.clock.now.toISOString().slice(0, 10);
    const path = `/api/companies/${home.id}/usage?from=${day}&to=${day}&by=model&limit=50`;
    const usage = (await owner(home).get(path)).body;
    expect([usage.items.length, usage.others.models]).toEqual([50, 51]);
    expect(usage.total).toMatchObject({ outputTokens: 103, reports: 105 });
    for (const bad of [
      { costCents: -1 },
      { inputTokens: 1.5 },
      { model: '' },
      { costCents: 1e12 },
    ]) {
      expect((await report(caller, run, bad)).status).toBe(400);
    }
    expect((await report(caller, run, { mutationId: '' })).status).toBe(400);
  });
});
