/**
 * breaking: no
 *
 * Runs report what they use, in money and tokens, and budgets count it at once. `reported_cents` of a run is null until it
 * reports a cost. `spent_cents` of a month has the costs of ended runs and what running ones reported beyond their
 * reservations; `carried_*` is what runs of earlier months used in it. `warned_*` is the limit whose warning is in the audit
 * log. The sums of a company are those of its agents; processes of the release before change only those of the agents, and
 * setting a budget of the company adds them up again.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await addColumns(db);
  await createReports(db);
  await createSums(db);
  await createLookup(db);
};

const addColumns = async (db: Database): Promise<void> => {
  await db.raw(`
    alter table agents.runs
      add column if not exists reported_cents bigint,
      add column if not exists input_tokens bigint not null default 0,
      add column if not exists output_tokens bigint not null default 0,
      add column if not exists reports integer not null default 0`);
  await db.raw('alter table agents.agents add column if not exists monthly_tokens bigint');
  await db.raw(`
    alter table agents.companies
      add column if not exists monthly_cents bigint,
      add column if not exists monthly_tokens bigint`);
  await db.raw(`
    alter table agents.budget_months
      add column if not exists spent_tokens bigint not null default 0,
      add column if not exists carried_cents bigint not null default 0,
      add column if not exists carried_tokens bigint not null default 0,
      add column if not exists warned_cents bigint,
      add column if not exists warned_tokens bigint`);
  await db.raw(`
    alter table agents.usage_days
      add column if not exists reports bigint not null default 0,
      add column if not exists input_tokens bigint not null default 0,
      add column if not exists output_tokens bigint not null default 0`);
  // Finishing may state less than was reported: what is added then is negative.
  await db.raw(
    'alter table agents.usage_days drop constraint if exists usage_days_cost_cents_check',
  );
};

const createReports = async (db: Database): Promise<void> => {
  await db.raw(`
    create table if not exists agents.usage_reports (
      company_id uuid not null,
      run_id uuid not null,
      mutation_id text not null,
      at timestamptz(3) not null,
      cost_cents bigint,
      input_tokens bigint not null,
      output_tokens bigint not null,
      model text,
      outcome text not null check (outcome in ('booked', 'exceeded', 'refused')),
      exceeded jsonb,
      total_cents bigint,
      total_input_tokens bigint not null,
      total_output_tokens bigint not null,
      primary key (company_id, run_id, mutation_id),
      foreign key (company_id, run_id) references agents.runs (company_id, id)
    )`);
  await db.raw(`
    create index if not exists usage_reports_by_run
    on agents.usage_reports (company_id, run_id, at desc, mutation_id desc)`);
  await db.raw(
    'create index if not exists usage_reports_by_time on agents.usage_reports (at, company_id)',
  );
  await confine(db, 'usage_reports');
};

const createSums = async (db: Database): Promise<void> => {
  await db.raw(`
    create table if not exists agents.company_months (
      company_id uuid not null,
      month date not null,
      spent_cents bigint not null default 0,
      reserved_cents bigint not null default 0,
      spent_tokens bigint not null default 0,
      carried_cents bigint not null default 0,
      carried_tokens bigint not null default 0,
      warned_cents bigint,
      warned_tokens bigint,
      primary key (company_id, month),
      foreign key (company_id) references agents.companies (company_id)
    )`);
  await confine(db, 'company_months');
  await db.raw(`
    create table if not exists agents.usage_models (
      company_id uuid not null,
      day date not null,
      model text not null,
      reports bigint not null,
      cost_cents bigint not null,
      input_tokens bigint not null,
      output_tokens bigint not null,
      primary key (company_id, day, model),
      foreign key (company_id) references agents.companies (company_id)
    )`);
  await confine(db, 'usage_models');
};

const confine = async (db: Database, table: string): Promise<void> => {
  await db.raw(`alter table agents.${table} enable row level security`);
  await db.raw(`drop policy if exists one_company on agents.${table}`);
  await db.raw(`
    create policy one_company on agents.${table}
    using (company_id = nullif(current_setting('app.company_id', true), '')::uuid)`);
};

/** The two lookups that know no company before. */
const createLookup = async (db: Database): Promise<void> => {
  await db.raw(`
    create or replace function agents.find_ended_run(
      p_run_id uuid, p_since timestamptz, p_now timestamptz
    )
    returns table (
      run_id uuid, company_id uuid, agent_id uuid,
      agent_name text, agent_status text, token_expires_at timestamptz, scopes text[],
      ended_at timestamptz
    )
    language plpgsql stable security definer set search_path = ''
    as $$
    declare
      own uuid := (
        select o.company_id from agents.entity_owners o where o.id = p_run_id and o.kind = 'run'
      );
    begin
      return query
        select r.id, r.company_id, a.id, a.name, a.status, r.token_expires_at::timestamptz, r.scopes,
          coalesce(r.finished_at, r.token_expires_at)::timestamptz
        from agents.runs r
        join agents.agents a on a.company_id = r.company_id and a.id = r.agent_id
        join agents.companies c on c.company_id = r.company_id
        where r.company_id = own and r.id = p_run_id
          and (r.status <> 'running' or r.token_expires_at <= p_now)
          and coalesce(r.finished_at, r.token_expires_at) > p_since
          and a.status <> 'terminated'
          and c.status = 'active';
    end
    $$`);
  await db.raw(`
    create or replace function agents.companies_with_old_usage_reports(
      p_before timestamptz, p_limit integer
    )
    returns table (company_id uuid)
    language plpgsql stable security definer set search_path = ''
    as $$
    begin
      return query
        select distinct oldest.company_id
        from (
          select r.company_id
          from agents.usage_reports r
          where r.at < p_before
          order by r.at
          limit p_limit
        ) oldest;
    end
    $$`);
};
