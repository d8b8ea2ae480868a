import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createWorld, type World } from './support/agents-world.ts';
import { as } from '@commonplace/testkit';
import {
  callerOf,
  createCompany,
  createConnection,
  createKey,
  createAgent,
  startRun,
} from './support/fixtures.ts';

let world: World;
let companyIds: string[];
beforeAll(async () => {
  world = await createWorld();
  companyIds = [];
  for (const name of ['One', 'Two']) {
    const home = await createCompany(world, name);
    const agent = await createAgent(home, { budget: { monthlyCents: 10 } });
    await createKey(home, agent);
    await createConnection(home, agent);
    const { run } = await startRun(home, agent);
    await as(world.app, callerOf(agent, { runId: run.id, keyId: null }))
      .post(`/api/runs/${run.id}/usage`)
      .send({ mutationId: 'one', costCents: 1, model: 'm' })
      .expect(200);
    await world.sql(
      `insert into agents.invites values ($1, gen_random_uuid(), 'a@b.example', 'viewer', '\\x00', now(), now())`,
      [home.id],
    );
    await world.sql(
      `insert into agents.run_cancellations values ($1, gen_random_uuid(), $2, 'a test', '{}', now())`,
      [home.id, agent.id],
    );
    await world.sql(
      `insert into agents.source_cancellations
       values ($1, gen_random_uuid(), gen_random_uuid(), null, 'a test', '{}', now())`,
      [home.id],
    );
    companyIds.push(home.id);
  }
});
afterAll(() => world.close());

const tenantTables = [
  'companies',
  'memberships',
  'invites',
  'agents',
  'budget_months',
  'company_months',
  'usage_days',
  'usage_models',
  'usage_reports',
  'keys',
  'connections',
  'runs',
  'activity',
  'run_cancellations',
  'source_cancellations',
];

describe('row-level security', () => {
  it.each(tenantTables)(
    'limits a query of %s without a where clause to one company',
    async (table) => {
      for (const id of companyIds) {
        const rows = await world.asService(id, `select company_id from agents.${table}`);
        expect(rows.length).toBeGreaterThan(0);
        expect(new Set(rows.map((row) => row['company_id']))).toEqual(new Set([id]));
      }
    },
  );

  it.each(tenantTables)('returns no rows of %s if no company is set', async (table) => {
    expect(await world.asService(null, `select company_id from agents.${table}`)).toEqual([]);
  });

  it('rejects writes for another company', async () => {
    const [one, two] = companyIds as [string, string];
    const insert = `insert into agents.memberships values ('${two}', gen_random_uuid(), 'e', 'n', 'owner', now())`;
    await expect(world.asService(one, insert)).rejects.toThrow('row-level security');
    const update = `update agents.companies set name = 'mine' where company_id = '${two}' returning 1`;
    expect(await world.asService(one, update)).toEqual([]);
  });

  it('is enabled for every table with a company, except the global lookup tables', async () => {
    const open = await world.sql(
      `select c.relname from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id'
       where c.relnamespace = 'agents'::regnamespace and c.relkind = 'r' and not c.relrowsecurity
       order by 1`,
    );
    expect(open.map((row) => row['relname'])).toEqual([
      'connection_tokens',
      'entity_owners',
      'invite_digests',
      'key_digests',
    ]);
  });
});

describe('the service', () => {
  it.each([
    'update agents.activity set action = action',
    'delete from agents.activity',
    'truncate agents.activity',
  ])('cannot rewrite the audit: %s', async (statement) => {
    await expect(world.asService(companyIds[0] ?? '', statement)).rejects.toThrow(
      'permission denied',
    );
  });

  it.each(['auth', 'notes'])('cannot read the schema of %s', async (schema) => {
    const peek = `select * from ${schema}.knex_migrations`;
    await expect(world.asService(null, peek)).rejects.toThrow('permission denied for schema');
  });
});
