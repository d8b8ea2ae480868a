/**
 * breaking: no
 *
 * Sums of ended runs by UTC day and agent. A run is added when it ends, in the same transaction, and marked as counted.
 * Runs that ended before, or that a process of an earlier release ends, are not marked; the service adds them in the
 * background, batch by batch, so writes go on.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await db.raw(`
    alter table agents.runs
      add column is_counted boolean not null default false,
      add column end_reason text`);
  await db.raw(`
    create table agents.usage_days (
      company_id uuid not null,
      day date not null,
      agent_id uuid not null,
      succeeded_runs bigint not null check (succeeded_runs >= 0),
      failed_runs bigint not null check (failed_runs >= 0),
      cancelled_runs bigint not null check (cancelled_runs >= 0),
      expired_runs bigint not null check (expired_runs >= 0),
      cost_cents bigint not null check (cost_cents >= 0),
      primary key (company_id, day, agent_id),
      foreign key (company_id, agent_id) references agents.agents (company_id, id)
    )`);
  await db.raw('alter table agents.usage_days enable row level security');
  await db.raw(`
    create policy one_company on agents.usage_days
    using (company_id = nullif(current_setting('app.company_id', true), '')::uuid)`);
  await db.raw(`
    create function agents.companies_with_uncounted_runs(p_limit integer)
    returns table (company_id uuid)
    language sql stable security definer set search_path = ''
    as $$
      select distinct uncounted.company_id
      from (
        select r.company_id
        from agents.runs r
        where not r.is_counted and r.status <> 'running'
        limit p_limit
      ) uncounted
    $$`);
};
