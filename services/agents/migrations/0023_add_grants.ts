/**
 * breaking: no
 *
 * Agents, keys, runs and connections may reach the notes of some folders only; null: all. Code that knows no grants calls
 * the verifications of the release before, which no longer find credentials with grants: such code rejects them, and
 * never treats them as unrestricted.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  for (const table of ['agents', 'keys', 'runs', 'connections']) {
    await db.raw(`alter table agents.${table} add column if not exists grants json`);
  }
  await verifyKeys(db);
  await hideGrantedKeys(db);
  await verifyRuns(db);
  await hideGrantedRuns(db);
  await verifyConnections(db);
  await hideGrantedConnections(db);
};

const verifyKeys = async (db: Database): Promise<void> => {
  await db.raw(`
    create or replace function agents.verify_granted_key(p_digests bytea[], p_now timestamptz)
    returns table (
      digest bytea, key_id uuid, company_id uuid, agent_id uuid,
      agent_name text, agent_status text, expires_at timestamptz, scopes text[],
      grants json, agent_grants json
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
            k.expires_at::timestamptz, k.scopes, k.grants, a.grants
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

const hideGrantedKeys = async (db: Database): Promise<void> => {
  await db.raw(`
    create or replace function agents.verify_scoped_key(p_digests bytea[], p_now timestamptz)
    returns table (
      digest bytea, key_id uuid, company_id uuid, agent_id uuid,
      agent_name text, agent_status text, expires_at timestamptz, scopes text[]
    )
    language plpgsql stable security definer set search_path = ''
    as $$
    begin
      return query
        select v.digest, v.key_id, v.company_id, v.agent_id, v.agent_name, v.agent_status,
          v.expires_at, v.scopes
        from agents.verify_granted_key(p_digests, p_now) v
        where v.grants is null and v.agent_grants is null;
    end
    $$`);
};

const verifyRuns = async (db: Database): Promise<void> => {
  await db.raw(`
    create or replace function agents.verify_granted_run(
      p_run_id uuid, p_now timestamptz, p_local_operator_id uuid
    )
    returns table (
      run_id uuid, company_id uuid, agent_id uuid,
      agent_name text, agent_status text, token_expires_at timestamptz, scopes text[],
      source_operator_id uuid, source_epoch integer, grants json, agent_grants json
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
          r.source_operator_id, coalesce(r.source_epoch, 0), r.grants, a.grants
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

const hideGrantedRuns = async (db: Database): Promise<void> => {
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
    begin
      return query
        select v.run_id, v.company_id, v.agent_id, v.agent_name, v.agent_status,
          v.token_expires_at, v.scopes, v.source_operator_id, v.source_epoch
        from agents.verify_granted_run(p_run_id, p_now, p_local_operator_id) v
        where v.grants is null and v.agent_grants is null;
    end
    $$`);
};

const verifyConnections = async (db: Database): Promise<void> => {
  await db.raw(`
    create or replace function agents.verify_granted_connection(
      p_digests bytea[], p_now timestamptz
    )
    returns table (
      connection_id uuid, company_id uuid, agent_id uuid, agent_name text, agent_status text,
      expires_at timestamptz, scopes text[], client_name text, client_host text,
      created_by uuid, access_epoch integer, role text, resource text,
      grants json, agent_grants json
    )
    language plpgsql stable security definer set search_path = ''
    as $$
    declare
      located record;
    begin
      for located in
        select t.company_id, t.connection_id, t.expires_at, t.resource
        from agents.connection_tokens t
        where t.digest = any (p_digests) and t.expires_at > p_now
      loop
        return query
          select n.id, n.company_id, a.id, a.name, a.status,
            least(located.expires_at, n.expires_at)::timestamptz, n.scopes, n.client_name,
            n.client_host, n.created_by, coalesce(n.access_epoch, 0), m.role,
            located.resource, n.grants, a.grants
          from agents.connections n
          join agents.agents a on a.company_id = n.company_id and a.id = n.agent_id
          join agents.companies c on c.company_id = n.company_id
          left join agents.memberships m
            on m.company_id = n.company_id and m.operator_id = n.created_by
          where n.company_id = located.company_id and n.id = located.connection_id
            and n.revoked_at is null
            and (n.expires_at is null or n.expires_at > p_now)
            and a.status <> 'terminated'
            and c.status = 'active';
        if found then
          return;
        end if;
      end loop;
    end
    $$`);
};

const hideGrantedConnections = async (db: Database): Promise<void> => {
  await db.raw(`
    create or replace function agents.verify_connection(p_digests bytea[], p_now timestamptz)
    returns table (
      connection_id uuid, company_id uuid, agent_id uuid, agent_name text, agent_status text,
      expires_at timestamptz, scopes text[], client_name text, client_host text,
      created_by uuid, access_epoch integer, role text, resource text
    )
    language plpgsql stable security definer set search_path = ''
    as $$
    begin
      return query
        select v.connection_id, v.company_id, v.agent_id, v.agent_name, v.agent_status, v.expires_at,
          v.scopes, v.client_name, v.client_host, v.created_by, v.access_epoch, v.role, v.resource
        from agents.verify_granted_connection(p_digests, p_now) v
        where v.grants is null and v.agent_grants is null;
    end
    $$`);
};
