/**
 * breaking: no
 *
 * The functions in PL/pgSQL, because Citus does not plan the statements of SQL functions with parameters. A credential
 * is first located in a global table: with its company known, the rest is read on one node.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await createDirectoryFunctions(db);
  await createKeyFunctions(db);
  await createTouchKeys(db);
  await createRunFunctions(db);
  await createSweeperFunctions(db);
};

const createDirectoryFunctions = async (db: Database): Promise<void> => {
  await db.raw(`
    create or replace function agents.companies_of_operator(
      p_operator_id uuid, p_after_name text, p_after_id uuid, p_limit integer
    )
    returns table (
      company_id uuid, name text, status text, role text,
      created_at timestamptz, updated_at timestamptz
    )
    language plpgsql stable security definer set search_path = ''
    as $$
    begin
      return query
        select c.company_id, c.name, c.status, m.role, c.created_at::timestamptz,
          c.updated_at::timestamptz
        from agents.memberships m
        join agents.companies c on c.company_id = m.company_id
        where m.operator_id = p_operator_id
          and (p_after_name is null or (c.name, c.company_id) > (p_after_name, p_after_id))
        order by c.name, c.company_id
        limit p_limit;
    end
    $$`);
  await db.raw(`
    create or replace function agents.all_companies(
      p_after_name text, p_after_id uuid, p_limit integer
    )
    returns table (
      company_id uuid, name text, status text, created_at timestamptz, updated_at timestamptz
    )
    language plpgsql stable security definer set search_path = ''
    as $$
    begin
      return query
        select c.company_id, c.name, c.status, c.created_at::timestamptz, c.updated_at::timestamptz
        from agents.companies c
        where (c.name, c.company_id)
          > (coalesce(p_after_name, ''), coalesce(p_after_id, '${nilUuid}'))
        order by c.name, c.company_id
        limit p_limit;
    end
    $$`);
};

/** Sorts before every id. */
const nilUuid = '00000000-0000-0000-0000-000000000000';

const createKeyFunctions = async (db: Database): Promise<void> => {
  await db.raw(`
    create or replace function agents.verify_scoped_key(p_digests bytea[], p_now timestamptz)
    returns table (
      digest bytea, key_id uuid, company_id uuid, agent_id uuid,
      agent_name text, agent_status text, expires_at timestamptz, scopes text[]
    )
    language plpgsql stable security definer set search_path = ''
    as $$
    declare
      located record;
    begin
      for located in
        select d.digest, d.company_id, d.key_id
        from agents.key_digests d
        where d.digest = any (p_digests)
      loop
        return query
          select located.digest, k.id, k.company_id, a.id, a.name, a.status,
            k.expires_at::timestamptz, k.scopes
          from agents.keys k
          join agents.agents a on a.company_id = k.company_id and a.id = k.agent_id
          join agents.companies c on c.company_id = k.company_id
          where k.company_id = located.company_id and k.id = located.key_id
            and k.revoked_at is null
            and (k.expires_at is null or k.expires_at > p_now)
            and a.status <> 'terminated'
            and c.status = 'active';
        if found then
          return;
        end if;
      end loop;
    end
    $$`);
};

/** One statement a key: rows of several companies cannot be joined with arrays on Citus. */
const createTouchKeys = async (db: Database): Promise<void> => {
  await db.raw(`
    create or replace function agents.touch_keys(
      p_company_ids uuid[], p_key_ids uuid[], p_used_ats timestamptz[], p_every interval
    )
    returns void
    language plpgsql security definer set search_path = ''
    as $$
    declare
      used record;
    begin
      for used in
        select u.company_id, u.key_id, u.at
        from unnest(p_company_ids, p_key_ids, p_used_ats) as u (company_id, key_id, at)
        order by u.company_id, u.key_id
      loop
        update agents.keys k
        set last_used_at = used.at
        where k.company_id = used.company_id
          and k.id = used.key_id
          and (k.last_used_at is null or k.last_used_at <= used.at - p_every);
      end loop;
    end
    $$`);
};

const createRunFunctions = async (db: Database): Promise<void> => {
  await db.raw(`
    create or replace function agents.verify_scoped_run(p_run_id uuid, p_now timestamptz)
    returns table (
      run_id uuid, company_id uuid, agent_id uuid,
      agent_name text, agent_status text, token_expires_at timestamptz, scopes text[]
    )
    language plpgsql stable security definer set search_path = ''
    as $$
    declare
      own uuid := (
        select o.company_id from agents.entity_owners o where o.id = p_run_id and o.kind = 'run'
      );
    begin
      return query
        select r.id, r.company_id, a.id, a.name, a.status, r.token_expires_at::timestamptz, r.scopes
        from agents.runs r
        join agents.agents a on a.company_id = r.company_id and a.id = r.agent_id
        join agents.companies c on c.company_id = r.company_id
        where r.company_id = own and r.id = p_run_id
          and r.status = 'running'
          and r.token_expires_at > p_now
          and a.status = 'active'
          and c.status = 'active';
    end
    $$`);
};

const createSweeperFunctions = async (db: Database): Promise<void> => {
  await db.raw(`
    create or replace function agents.companies_with_lapsed_runs(
      p_now timestamptz, p_limit integer
    )
    returns table (company_id uuid)
    language plpgsql stable security definer set search_path = ''
    as $$
    begin
      return query
        select distinct lapsed.company_id
        from (
          select r.company_id
          from agents.runs r
          where r.status = 'running' and r.token_expires_at <= p_now
          order by r.token_expires_at
          limit p_limit
        ) lapsed;
    end
    $$`);
  await db.raw(`
    create or replace function agents.companies_with_run_cancellations(p_limit integer)
    returns table (company_id uuid)
    language plpgsql stable security definer set search_path = ''
    as $$
    begin
      return query
        select distinct oldest.company_id
        from (
          select c.company_id from agents.run_cancellations c order by c.at limit p_limit
        ) oldest;
    end
    $$`);
  await db.raw(`
    create or replace function agents.companies_with_uncounted_runs(p_limit integer)
    returns table (company_id uuid)
    language plpgsql stable security definer set search_path = ''
    as $$
    begin
      return query
        select distinct uncounted.company_id
        from (
          select r.company_id
          from agents.runs r
          where not r.is_counted and r.status <> 'running'
          limit p_limit
        ) uncounted;
    end
    $$`);
};
