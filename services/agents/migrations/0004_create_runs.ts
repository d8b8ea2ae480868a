/**
 * breaking: no
 *
 * Runs of agents; their tokens are issued by the auth service and die with them.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await createTable(db);
  await createFunctions(db);
};

const createTable = async (db: Database): Promise<void> => {
  await db.raw(`
    create table agents.runs (
      company_id uuid not null,
      id uuid not null,
      agent_id uuid not null,
      status text not null
        check (status in ('running', 'succeeded', 'failed', 'cancelled', 'expired')),
      trigger text not null check (trigger in ('manual', 'schedule', 'event')),
      ttl_seconds integer not null,
      started_at timestamptz(3) not null,
      finished_at timestamptz(3),
      token_expires_at timestamptz(3) not null,
      budget_month date not null,
      reserved_cents bigint not null check (reserved_cents >= 0),
      cost_cents bigint check (cost_cents >= 0),
      primary key (company_id, id),
      foreign key (company_id, agent_id) references agents.agents (company_id, id)
    )`);
  await db.raw(
    'create index runs_by_agent on agents.runs (company_id, agent_id, started_at desc, id desc)',
  );
  await db.raw(
    "create index runs_running on agents.runs (token_expires_at) where status = 'running'",
  );
  await db.raw(`
    create index runs_running_by_agent on agents.runs (company_id, agent_id)
    where status = 'running'`);
  await db.raw('alter table agents.runs enable row level security');
  await db.raw(`
    create policy one_company on agents.runs
    using (company_id = nullif(current_setting('app.company_id', true), '')::uuid)`);
};

const createFunctions = async (db: Database): Promise<void> => {
  // Everything that can kill a run, in one look-up.
  await db.raw(`
    create function agents.verify_run(p_run_id uuid, p_now timestamptz)
    returns table (
      run_id uuid, company_id uuid, agent_id uuid,
      agent_name text, agent_status text, token_expires_at timestamptz
    )
    language sql stable security definer set search_path = ''
    as $$
      select r.id, r.company_id, a.id, a.name, a.status, r.token_expires_at
      from agents.entity_owners o
      join agents.runs r on r.company_id = o.company_id and r.id = o.id
      join agents.agents a on a.company_id = r.company_id and a.id = r.agent_id
      join agents.companies c on c.company_id = r.company_id
      where o.id = p_run_id
        and o.kind = 'run'
        and r.status = 'running'
        and r.token_expires_at > p_now
        and a.status = 'active'
        and c.status = 'active'
    $$`);

  // The sweeper asks where there is work; the work itself is done company by company.
  await db.raw(`
    create function agents.companies_with_lapsed_runs(p_now timestamptz, p_limit integer)
    returns table (company_id uuid)
    language sql stable security definer set search_path = ''
    as $$
      select distinct lapsed.company_id
      from (
        select r.company_id
        from agents.runs r
        where r.status = 'running' and r.token_expires_at <= p_now
        order by r.token_expires_at
        limit p_limit
      ) lapsed
    $$`);
};
