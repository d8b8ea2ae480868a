/**
 * breaking: no
 *
 * Keys and runs may have fewer than all scopes; null: all. Code that knows no scopes calls `verify_key` and
 * `verify_run`, which no longer find narrowed credentials: such code rejects them, and never treats them as
 * unrestricted.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  for (const table of ['keys', 'runs']) {
    await db.raw(`
      alter table agents.${table} add column scopes text[]
      constraint ${table}_scopes_check check (cardinality(scopes) > 0)`);
  }
  await createKeyFunctions(db);
  await createRunFunctions(db);
};

const createKeyFunctions = async (db: Database): Promise<void> => {
  await db.raw(`
    create function agents.verify_scoped_key(p_digests bytea[], p_now timestamptz)
    returns table (
      digest bytea, key_id uuid, company_id uuid, agent_id uuid,
      agent_name text, agent_status text, expires_at timestamptz, scopes text[]
    )
    language sql stable security definer set search_path = ''
    as $$
      select d.digest, k.id, k.company_id, a.id, a.name, a.status, k.expires_at, k.scopes
      from agents.key_digests d
      join agents.keys k on k.company_id = d.company_id and k.id = d.key_id
      join agents.agents a on a.company_id = k.company_id and a.id = k.agent_id
      join agents.companies c on c.company_id = k.company_id
      where d.digest = any (p_digests)
        and k.revoked_at is null
        and (k.expires_at is null or k.expires_at > p_now)
        and a.status <> 'terminated'
        and c.status = 'active'
      limit 1
    $$`);
  await db.raw(`
    create or replace function agents.verify_key(p_digests bytea[], p_now timestamptz)
    returns table (
      digest bytea, key_id uuid, company_id uuid, agent_id uuid,
      agent_name text, agent_status text, expires_at timestamptz
    )
    language sql stable security definer set search_path = ''
    as $$
      select k.digest, k.key_id, k.company_id, k.agent_id, k.agent_name, k.agent_status, k.expires_at
      from agents.verify_scoped_key(p_digests, p_now) k
      where k.scopes is null
    $$`);
};

const createRunFunctions = async (db: Database): Promise<void> => {
  await db.raw(`
    create function agents.verify_scoped_run(p_run_id uuid, p_now timestamptz)
    returns table (
      run_id uuid, company_id uuid, agent_id uuid,
      agent_name text, agent_status text, token_expires_at timestamptz, scopes text[]
    )
    language sql stable security definer set search_path = ''
    as $$
      select r.id, r.company_id, a.id, a.name, a.status, r.token_expires_at, r.scopes
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
  await db.raw(`
    create or replace function agents.verify_run(p_run_id uuid, p_now timestamptz)
    returns table (
      run_id uuid, company_id uuid, agent_id uuid,
      agent_name text, agent_status text, token_expires_at timestamptz
    )
    language sql stable security definer set search_path = ''
    as $$
      select r.run_id, r.company_id, r.agent_id, r.agent_name, r.agent_status, r.token_expires_at
      from agents.verify_scoped_run(p_run_id, p_now) r
      where r.scopes is null
    $$`);
};
