/**
 * breaking: no
 *
 * Pausing, terminating and archiving commit at once; the running runs of the agent or company are cancelled
 * afterwards, in batches. A row here says that this is still to be finished, so that it survives a kill.
 *
 * The indexes make the two counts of running runs and of living keys independent of how many lapsed ones
 * there are.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await db.raw(`
    create table agents.run_cancellations (
      company_id uuid not null,
      id uuid not null,
      agent_id uuid,
      because text not null,
      actor jsonb not null,
      at timestamptz(3) not null,
      primary key (company_id, id),
      foreign key (company_id) references agents.companies (company_id),
      foreign key (company_id, agent_id) references agents.agents (company_id, id)
    )`);
  await db.raw('create index run_cancellations_by_time on agents.run_cancellations (at)');
  await db.raw('alter table agents.run_cancellations enable row level security');
  await db.raw(`
    create policy one_company on agents.run_cancellations
    using (company_id = nullif(current_setting('app.company_id', true), '')::uuid)`);
  await db.raw(`
    create index runs_running_by_expiry on agents.runs (company_id, agent_id, token_expires_at)
    where status = 'running'`);
  await db.raw(`
    create index keys_unrevoked on agents.keys (company_id, agent_id, expires_at)
    where revoked_at is null`);
  await db.raw(`
    create function agents.companies_with_run_cancellations(p_limit integer)
    returns table (company_id uuid)
    language sql stable security definer set search_path = ''
    as $$
      select distinct oldest.company_id
      from (select c.company_id from agents.run_cancellations c order by c.at limit p_limit) oldest
    $$`);
};

export const down = async (db: Database): Promise<void> => {
  await db.raw('drop function agents.companies_with_run_cancellations(integer)');
  await db.raw('drop index agents.keys_unrevoked');
  await db.raw('drop index agents.runs_running_by_expiry');
  await db.raw('drop table agents.run_cancellations');
};
