/**
 * breaking: no
 *
 * API keys: what is known of them, and where the one with a given digest is.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await createTables(db);
  await createFunctions(db);
};

const createTables = async (db: Database): Promise<void> => {
  await db.raw(`
    create table agents.keys (
      company_id uuid not null,
      id uuid not null,
      agent_id uuid not null,
      name text not null,
      prefix text not null,
      created_by uuid not null,
      created_at timestamptz(3) not null,
      expires_at timestamptz(3),
      last_used_at timestamptz(3),
      revoked_at timestamptz(3),
      primary key (company_id, id),
      foreign key (company_id, agent_id) references agents.agents (company_id, id)
    )`);
  await db.raw(
    'create index keys_by_agent on agents.keys (company_id, agent_id, created_at desc, id desc)',
  );
  await db.raw('alter table agents.keys enable row level security');
  await db.raw(`
    create policy one_company on agents.keys
    using (company_id = nullif(current_setting('app.company_id', true), '')::uuid)`);

  // Global: HMAC-SHA256 of a key under a pepper, and where the key is.
  await db.raw(`
    create table agents.key_digests (
      digest bytea primary key,
      company_id uuid not null,
      key_id uuid not null
    )`);
};

const createFunctions = async (db: Database): Promise<void> => {
  // Everything that can kill a key, in one look-up.
  await db.raw(`
    create function agents.verify_key(p_digests bytea[], p_now timestamptz)
    returns table (
      digest bytea, key_id uuid, company_id uuid, agent_id uuid,
      agent_name text, agent_status text, expires_at timestamptz
    )
    language sql stable security definer set search_path = ''
    as $$
      select d.digest, k.id, k.company_id, a.id, a.name, a.status, k.expires_at
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

  // Batches of last uses span companies; nothing else of a key can be written this way.
  await db.raw(`
    create function agents.touch_keys(
      p_company_ids uuid[], p_key_ids uuid[], p_used_ats timestamptz[], p_every interval
    )
    returns void
    language sql security definer set search_path = ''
    as $$
      update agents.keys k
      set last_used_at = used.at
      from unnest(p_company_ids, p_key_ids, p_used_ats) as used (company_id, key_id, at)
      where k.company_id = used.company_id
        and k.id = used.key_id
        and (k.last_used_at is null or k.last_used_at <= used.at - p_every)
    $$`);
};
