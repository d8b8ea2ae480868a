/**
 * breaking: no
 *
 * A run knows the key or the operator that is responsible for it: the one that started it, or renewed it last. Its token is
 * valid while that key is not revoked and that operator is a member who may start runs. Runs that are running get
 * their source from the audit log; runs of processes of the release before have none.
 *
 * A rotation revokes a key, but its runs go on: `keeps_runs`. The runs of a source that ended are cancelled in
 * batches, as those of a paused agent. The queue is a table of its own, because a process of the release before
 * would take a row without an agent for the whole company.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await db.raw(
    'alter table agents.keys add column if not exists keeps_runs boolean not null default false',
  );
  await db.raw(`
    alter table agents.runs
      add column if not exists source_key_id uuid,
      add column if not exists source_operator_id uuid`);
  await createQueue(db);
  await createVerification(db);
  await replaceVerification(db);
  await db.raw(`
    update agents.runs r
    set source_key_id = a.key_id,
      source_operator_id = case when a.actor_kind = 'operator' then a.actor_id end
    from agents.activity a
    where a.company_id = r.company_id and a.entity_id = r.id and a.action = 'run.started'
      and r.status = 'running'
      and r.source_key_id is null and r.source_operator_id is null`);
};

const createQueue = async (db: Database): Promise<void> => {
  await db.raw(`
    create table if not exists agents.source_cancellations (
      company_id uuid not null,
      id uuid not null,
      key_id uuid,
      operator_id uuid,
      because text not null,
      actor jsonb not null,
      at timestamptz(3) not null,
      primary key (company_id, id),
      foreign key (company_id) references agents.companies (company_id),
      check ((key_id is null) <> (operator_id is null))
    )`);
  await db.raw(
    'create index if not exists source_cancellations_by_time on agents.source_cancellations (at)',
  );
  await db.raw('alter table agents.source_cancellations enable row level security');
  await db.raw('drop policy if exists one_company on agents.source_cancellations');
  await db.raw(`
    create policy one_company on agents.source_cancellations
    using (company_id = nullif(current_setting('app.company_id', true), '')::uuid)`);
  await db.raw(`
    create or replace function agents.companies_with_source_cancellations(p_limit integer)
    returns table (company_id uuid)
    language plpgsql stable security definer set search_path = ''
    as $$
    begin
      return query
        select distinct oldest.company_id
        from (
          select c.company_id from agents.source_cancellations c order by c.at limit p_limit
        ) oldest;
    end
    $$`);
};

const createVerification = async (db: Database): Promise<void> => {
  await db.raw(`
    create or replace function agents.verify_run_of_source(
      p_run_id uuid, p_now timestamptz, p_local_operator_id uuid
    )
    returns table (
      run_id uuid, company_id uuid, agent_id uuid,
      agent_name text, agent_status text, token_expires_at timestamptz, scopes text[],
      source_operator_id uuid
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
          r.source_operator_id
        from agents.runs r
        join agents.agents a on a.company_id = r.company_id and a.id = r.agent_id
        join agents.companies c on c.company_id = r.company_id
        left join agents.keys k on k.company_id = r.company_id and k.id = r.source_key_id
        left join agents.memberships m
          on m.company_id = r.company_id and m.operator_id = r.source_operator_id
        where r.company_id = own and r.id = p_run_id
          and r.status = 'running'
          and r.token_expires_at > p_now
          and a.status = 'active'
          and c.status = 'active'
          and (r.source_key_id is null or k.revoked_at is null or k.keeps_runs)
          and (
            r.source_operator_id is null or r.source_operator_id = p_local_operator_id
            or m.role in ('operator', 'owner')
          );
    end
    $$`);
};

/** The local board operator has no membership. */
const localOperatorId = '00000000-0000-7000-8000-000000000001';

/** For processes of the release before. */
const replaceVerification = async (db: Database): Promise<void> => {
  await db.raw(`
    create or replace function agents.verify_scoped_run(p_run_id uuid, p_now timestamptz)
    returns table (
      run_id uuid, company_id uuid, agent_id uuid,
      agent_name text, agent_status text, token_expires_at timestamptz, scopes text[]
    )
    language plpgsql stable security definer set search_path = ''
    as $$
    begin
      return query
        select r.run_id, r.company_id, r.agent_id, r.agent_name, r.agent_status, r.token_expires_at,
          r.scopes
        from agents.verify_run_of_source(p_run_id, p_now, '${localOperatorId}') r;
    end
    $$`);
};
