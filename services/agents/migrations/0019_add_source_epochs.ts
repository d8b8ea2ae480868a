/**
 * breaking: no
 *
 * A run that an operator is responsible for, and an invite that nobody accepted, end when the access to the operator's
 * account is taken away: by a handover, or a reset of its password or second factor. Both carry the access epoch that the
 * account had. Null, of processes of the release before, is the first one. A cancellation with an epoch ends the
 * runs of earlier ones only.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await db.raw('alter table agents.runs add column if not exists source_epoch integer');
  await db.raw('alter table agents.invites add column if not exists inviter_epoch integer');
  await db.raw(
    'alter table agents.source_cancellations add column if not exists before_epoch integer',
  );
  await createVerification(db);
  await createSweep(db);
};

const createVerification = async (db: Database): Promise<void> => {
  await db.raw(`
    create or replace function agents.verify_run_of_epoch(
      p_run_id uuid, p_now timestamptz, p_local_operator_id uuid
    )
    returns table (
      run_id uuid, company_id uuid, agent_id uuid,
      agent_name text, agent_status text, token_expires_at timestamptz, scopes text[],
      source_operator_id uuid, source_epoch integer
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
          r.source_operator_id, coalesce(r.source_epoch, 0)
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

/** `p_before_epoch` null: the runs of every epoch. */
const createSweep = async (db: Database): Promise<void> => {
  await db.raw(`
    create or replace function agents.companies_with_runs_before_epoch(
      p_operator_id uuid, p_before_epoch integer, p_limit integer
    )
    returns table (company_id uuid)
    language plpgsql stable security definer set search_path = ''
    as $$
    begin
      return query
        select distinct r.company_id
        from agents.runs r
        where r.status = 'running' and r.source_operator_id = p_operator_id
          and (p_before_epoch is null or coalesce(r.source_epoch, 0) < p_before_epoch)
        limit p_limit;
    end
    $$`);
};
