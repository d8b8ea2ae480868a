/**
 * breaking: no
 *
 * Agents with their chain of command, and their budgets month by month.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await db.raw(`
    create table agents.agents (
      company_id uuid not null,
      id uuid not null,
      name text not null,
      title text not null,
      role text not null,
      status text not null check (status in ('active', 'paused', 'terminated')),
      reports_to uuid,
      monthly_cents bigint check (monthly_cents >= 0),
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      primary key (company_id, id),
      foreign key (company_id) references agents.companies (company_id),
      foreign key (company_id, reports_to) references agents.agents (company_id, id)
    )`);
  await db.raw('create index agents_by_name on agents.agents (company_id, name, id)');
  await db.raw('create index agents_by_manager on agents.agents (company_id, reports_to)');

  // One row per agent and month: two bookings at once wait for each other on it.
  await db.raw(`
    create table agents.budget_months (
      company_id uuid not null,
      agent_id uuid not null,
      month date not null,
      spent_cents bigint not null default 0 check (spent_cents >= 0),
      reserved_cents bigint not null default 0 check (reserved_cents >= 0),
      primary key (company_id, agent_id, month),
      foreign key (company_id, agent_id) references agents.agents (company_id, id)
    )`);

  for (const table of ['agents', 'budget_months']) {
    await db.raw(`alter table agents.${table} enable row level security`);
    await db.raw(`
      create policy one_company on agents.${table}
      using (company_id = nullif(current_setting('app.company_id', true), '')::uuid)`);
  }
};
