/**
 * breaking: no
 *
 * Connections: credentials of agents for clients of OAuth, by the consent of an operator, and where the one with a given
 * access token is. A connection carries the access epoch of its operator's account, as runs do. Processes of the release
 * before know no such token and reject it.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await createTables(db);
  await allowOwners(db);
  await createVerification(db);
  await createTouch(db);
  await createSweep(db);
};

const createTables = async (db: Database): Promise<void> => {
  await db.raw(`
    create table if not exists agents.connections (
      company_id uuid not null,
      id uuid not null,
      agent_id uuid not null,
      client_id text not null,
      client_name text not null,
      client_host text not null,
      scopes text[] not null check (cardinality(scopes) > 0),
      created_by uuid not null,
      access_epoch integer,
      created_at timestamptz(3) not null,
      expires_at timestamptz(3),
      last_used_at timestamptz(3),
      revoked_at timestamptz(3),
      primary key (company_id, id),
      foreign key (company_id, agent_id) references agents.agents (company_id, id)
    )`);
  await db.raw(`
    create index if not exists connections_by_time
    on agents.connections (company_id, created_at desc, id desc)`);
  await db.raw(`
    create index if not exists connections_by_agent
    on agents.connections (company_id, agent_id, created_at desc, id desc)`);
  await db.raw(`
    create index if not exists active_connections_by_operator
    on agents.connections (created_by, company_id) where revoked_at is null`);
  await db.raw('alter table agents.connections enable row level security');
  await db.raw('drop policy if exists one_company on agents.connections');
  await db.raw(`
    create policy one_company on agents.connections
    using (company_id = nullif(current_setting('app.company_id', true), '')::uuid)`);

  // Global: HMAC-SHA256 of an access token under a pepper, and where its connection is.
  await db.raw(`
    create table if not exists agents.connection_tokens (
      digest bytea primary key,
      company_id uuid not null,
      connection_id uuid not null,
      expires_at timestamptz(3) not null,
      resource text not null
    )`);
  await db.raw(`
    create index if not exists connection_tokens_by_connection
    on agents.connection_tokens (connection_id)`);
  await db.raw(`
    create index if not exists connection_tokens_by_expiry
    on agents.connection_tokens (expires_at)`);
};

/** Not validated: every row is of a kind that was allowed, and the table has a row for each run. */
const allowOwners = async (db: Database): Promise<void> => {
  await db.raw(
    'alter table agents.entity_owners drop constraint if exists entity_owners_kind_check',
  );
  await db.raw(`
    alter table agents.entity_owners add constraint entity_owners_kind_check
    check (kind in ('agent', 'key', 'connection', 'run', 'invite')) not valid`);
};

/** Everything in the database that ends a connection, in one lookup; the account of the operator is in auth. */
const createVerification = async (db: Database): Promise<void> => {
  await db.raw(`
    create or replace function agents.verify_connection(p_digests bytea[], p_now timestamptz)
    returns table (
      connection_id uuid, company_id uuid, agent_id uuid, agent_name text, agent_status text,
      expires_at timestamptz, scopes text[], client_name text, client_host text,
      created_by uuid, access_epoch integer, role text, resource text
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
            located.resource
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

/** One statement a connection: rows of several companies cannot be joined with arrays on Citus. */
const createTouch = async (db: Database): Promise<void> => {
  await db.raw(`
    create or replace function agents.touch_connections(
      p_company_ids uuid[], p_connection_ids uuid[], p_used_ats timestamptz[], p_every interval
    )
    returns void
    language plpgsql security definer set search_path = ''
    as $$
    declare
      used record;
    begin
      for used in
        select u.company_id, u.connection_id, u.at
        from unnest(p_company_ids, p_connection_ids, p_used_ats) as u (company_id, connection_id, at)
        order by u.company_id, u.connection_id
      loop
        update agents.connections n
        set last_used_at = used.at
        where n.company_id = used.company_id
          and n.id = used.connection_id
          and (n.last_used_at is null or n.last_used_at <= used.at - p_every);
      end loop;
    end
    $$`);
};

/** Who must still have an account, and where. */
const createSweep = async (db: Database): Promise<void> => {
  await db.raw(`
    create or replace function agents.operators_with_connections(p_after uuid, p_limit integer)
    returns table (operator_id uuid)
    language plpgsql stable security definer set search_path = ''
    as $$
    begin
      return query
        select distinct n.created_by
        from agents.connections n
        where n.revoked_at is null and n.created_by > p_after
        order by n.created_by
        limit p_limit;
    end
    $$`);
  await db.raw(`
    create or replace function agents.companies_with_connections_of_operator(
      p_operator_id uuid, p_before_epoch integer, p_limit integer
    )
    returns table (company_id uuid)
    language plpgsql stable security definer set search_path = ''
    as $$
    begin
      return query
        select distinct n.company_id
        from agents.connections n
        where n.revoked_at is null and n.created_by = p_operator_id
          and (p_before_epoch is null or coalesce(n.access_epoch, 0) < p_before_epoch)
        limit p_limit;
    end
    $$`);
};
