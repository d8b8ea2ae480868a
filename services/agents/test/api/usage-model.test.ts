import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { runId, type Agent, type Run } from '@commonplace/contracts';
import { as } from '@commonplace/testkit';
import fc from 'fast-check';
import { createApp } from '../../src/app.ts';
import { finishCancellations } from '../../src/commands/finish-cancellations.ts';
import { createReportQueue } from '../../src/commands/report-queue.ts';
import { createWorld, type World } from '../support/agents-world.ts';
import { callerOf, createAgent, createCompany, startRun } from '../support/fixtures.ts';

/** Everything that changes a budget at once, on two replicas: afterwards all sums agree. */
let world: World;
let apps: readonly World['app'][];
beforeAll(async () => {
  world = await createWorld();
  const { db, clock } = world.deps;
  apps = [world.app, createApp({ ...world.deps, bookReport: createReportQueue({ db, clock }) })];
});
afterAll(() => world.close());

const step = fc.record({
  what: fc.constantFrom('report', 'report', 'report', 'start', 'finish', 'cancel', 'pause'),
  run: fc.nat(5),
  app: fc.nat(1),
  /** Few, so that some repeat. */
  mutation: fc.nat(30),
  cents: fc.nat(25),
  tokens: fc.nat(25),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const budget = fc.record({
  monthlyCents: fc.option(fc.integer({ min: 100, max: 300 })),
  monthlyTokens: fc.option(fc.integer({ min: 100, max: 300 })),
});

it('whatever happens at once, the sums of runs, agents, days and the company agree', async () => {
  await fc.assert(
    fc.asyncProperty(
      budget,
      budget,
      fc.array(step, { minLength: 20, maxLength: 40 }),
      async (ofAgent, ofCompany, steps) => {
        const home = await createCompany(world);
        await as(world.app, home.owner)
          .patch(`/api/companies/${home.id}`)
          .send({ budget: ofCompany });
        const agents = [
          await createAgent(home, { budget: ofAgent }),
          await createAgent(home, { name: 'Bea' }),
        ];
        const runs: { readonly run: Run; readonly agent: Agent }[] = [];
        for (const agent of agents) {
          for (const reserveCents of [0, 10, 20]) {
            runs.push({ agent, run: (await startRun(home, agent, { reserveCents })).run });
          }
        }
        const take = (each: Step) => {
          const { run, agent } = runs[each.run] as (typeof runs)[number];
          const app = apps[each.app] ?? world.app;
          const owner = as(app, home.owner);
          switch (each.what) {
            case 'report':
              return as(app, callerOf(agent, { runId: runId.parse(run.id), keyId: null }))
                .post(`/api/runs/${run.id}/usage`)
                .send({
                  mutationId: String(each.mutation),
                  costCents: each.cents,
                  inputTokens: each.tokens,
                });
            case 'start':
              return owner.post(`/api/agents/${agent.id}/runs`).send({ reserveCents: each.cents });
            case 'finish':
              return owner
                .post(`/api/runs/${run.id}/finish`)
                .send({ status: 'failed', costCents: each.cents });
            case 'pause':
              return owner.post(`/api/agents/${agent.id}/pause`);
            default:
              return owner.post(`/api/runs/${run.id}/cancel`);
          }
        };
        const responses = await Promise.all(steps.map(take));
        // On a busy machine some wait too long for a connection (503); the sums agree all the same.
        const failed = responses.filter(({ status }) => status >= 500 && status !== 503);
        expect(failed).toEqual([]);
        expect(responses.some(({ status }) => status < 300)).toBe(true);
        await finishCancellations(world.deps.db);
        await expectAgreement(home.id);
      },
    ),
    { numRuns: 10, endOnFailure: true },
  );
}, 120_000);

/** Compares each sum with the rows it is made of. */
const expectAgreement = async (companyId: string): Promise<void> => {
  const [difference] = await world.sql(
    `with runs as (
       select agent_id, status,
         case when status = 'running' then greatest(0, coalesce(reported_cents, 0) - reserved_cents)
           else cost_cents end as spent,
         case when status = 'running' then reserved_cents else 0 end as reserved,
         input_tokens + output_tokens as tokens, coalesce(cost_cents, reported_cents, 0) as used
       from agents.runs where company_id = $1
     ),
     by_agent as (
       select sum(spent) as spent, sum(reserved) as reserved, sum(tokens) as tokens, sum(used) as used from runs
     ),
     reports as (
       select coalesce(sum(cost_cents), 0) as cents, coalesce(sum(input_tokens), 0) as input
       from agents.usage_reports where company_id = $1 and outcome <> 'refused'
     )
     select
       (select sum(spent_cents) from agents.budget_months where company_id = $1) - spent as "agentSpent",
       (select sum(reserved_cents) from agents.budget_months where company_id = $1) - reserved as "agentReserved",
       (select sum(spent_tokens) from agents.budget_months where company_id = $1) - tokens as "agentTokens",
       (select sum(spent_cents) from agents.company_months where company_id = $1) - spent as "companySpent",
       (select sum(reserved_cents) from agents.company_months where company_id = $1) - reserved as "companyReserved",
       (select sum(spent_tokens) from agents.company_months where company_id = $1) - tokens as "companyTokens",
       coalesce((select sum(cost_cents) from agents.usage_days where company_id = $1), 0) - used as "dayCents",
       coalesce((select sum(input_tokens) from agents.usage_days where company_id = $1), 0) - tokens as "dayTokens",
       coalesce((select sum(cost_cents) from agents.usage_models where company_id = $1), 0) - reports.cents as "modelCents",
       (select coalesce(sum(reported_cents), 0) from agents.runs where company_id = $1) - reports.cents as "runCents",
       (select sum(input_tokens) from agents.runs where company_id = $1) - reports.input as "runTokens"
     from by_agent, reports`,
    [companyId],
  );
  expect(Object.entries(difference ?? {}).filter(([, value]) => Number(value) !== 0)).toEqual([]);
};
