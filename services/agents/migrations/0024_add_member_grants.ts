/**
 * breaking: no
 *
 * Viewers may reach the notes of some folders only. Such a member has a role of its own, `granted_viewer`, which code of
 * the release before does not know and therefore rejects: as a `viewer` it would see all notes. The functions that
 * list companies and verify connections for that release leave such members out.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await db.raw('alter table agents.memberships add column if not exists grants json');
  // Citus takes no constraint with another command.
  await db.raw('alter table agents.memberships drop constraint if exists memberships_role_check');
  await db.raw(`
    alter table agents.memberships add constraint memberships_role_check
      check (role in ('viewer', 'granted_viewer', 'operator', 'owner'))`);
  await listCompanies(db);
  await hideGrantedMembers(db);
  await verifyConnections(db);
  await hideConnectionsOfGrantedMembers(db);
};

/** The role and grants of the membership `m`. Without a list, which code never writes, a granted viewer sees nothing. */
const role = `case m.role when 'granted_viewer' then 'viewer' else m.role end`;
const grants = `case m.role when 'granted_viewer' then coalesce(m.grants, '[]'::json) end`;

const listCompanies = async (db: Database): Promise<void> => {
  await db.raw(`
    create or replace function agents.list_companies_of_member(
      p_operator_id uuid, p_after_name text, p_after_id uuid, p_limit integer
    )
    returns table (
      company_id uuid, name text, status text, currency text, role text, grants json,
      created_at timestamptz, updated_at timestamptz
    )
    language plpgsql stable security definer set search_path = ''
    as $$
    begin
      return query
        select c.company_id, c.name, c.status, c.currency, ${role}, ${grants},
          c.created_at::timestamptz, c.updated_at::timestamptz
        from agents.memberships m
        join agents.companies c on c.company_id = m.company_id
        where m.operator_id = p_operator_id
          and (p_after_name is null or (c.name, c.company_id) > (p_after_name, p_after_id))
        order by c.name, c.company_id
        limit p_limit;
    end
    $$`);
};

const hideGrantedMembers = async (db: Database): Promise<void> => {
  await db.raw(`
    create or replace function agents.list_companies_of_operator(
      p_operator_id uuid, p_after_name text, p_after_id uuid, p_limit integer
    )
    returns table (
      company_id uuid, name text, status text, currency text, role text,
      created_at timestamptz, updated_at timestamptz
    )
    language plpgsql stable security definer set search_path = ''
    as $$
    begin
      return query
        select c.company_id, c.name, c.status, c.currency, m.role, c.created_at::timestamptz,
          c.updated_at::timestamptz
        from agents.memberships m
        join agents.companies c on c.company_id = m.company_id
        where m.operator_id = p_operator_id and m.role <> 'granted_viewer'
          and (p_after_name is null or (c.name, c.company_id) > (p_after_name, p_after_id))
        order by c.name, c.company_id
        limit p_limit;
    end
    $$`);
};

const verifyConnections = async (db: Database): Promise<void> => {
  await db.raw(`
    create or replace function agents.verify_member_connection(
      p_digests bytea[], p_now timestamptz
    )
    returns table (
      connection_id uuid, company_id uuid, agent_id uuid, agent_name text, agent_status text,
      expires_at timestamptz, scopes text[], client_name text, client_host text,
      created_by uuid, access_epoch integer, role text, resource text,
      grants json, agent_grants json, member_grants json
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
            n.client_host, n.created_by, coalesce(n.access_epoch, 0), ${role},
            located.resource, n.grants, a.grants, ${grants}
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

const hideConnectionsOfGrantedMembers = async (db: Database): Promise<void> => {
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
    begin
      return query
        select v.connection_id, v.company_id, v.agent_id, v.agent_name, v.agent_status, v.expires_at,
          v.scopes, v.client_name, v.client_host, v.created_by, v.access_epoch, v.role, v.resource,
          v.grants, v.agent_grants
        from agents.verify_member_connection(p_digests, p_now) v
        where v.member_grants is null;
    end
    $$`);
};
