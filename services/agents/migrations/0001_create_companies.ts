/**
 * breaking: no
 *
 * Companies, their members and invites.
 *
 * Tenant tables carry `company_id` in every key and are confined to one company by row-level security.
 * What must be found without knowing the company stands in small global tables (`entity_owners`,
 * `invite_digests`), or is asked through a narrow function that runs with the owner's rights.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await createTenantTables(db);
  await confineToOneCompany(db);
  await createGlobalTables(db);
  await createDirectoryFunctions(db);
};

const createTenantTables = async (db: Database): Promise<void> => {
  await db.raw(`
    create table agents.companies (
      company_id uuid not null,
      name text not null,
      status text not null check (status in ('active', 'archived')),
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      primary key (company_id)
    )`);
  await db.raw('create index companies_by_name on agents.companies (name, company_id)');

  await db.raw(`
    create table agents.memberships (
      company_id uuid not null,
      operator_id uuid not null,
      email text not null,
      name text not null,
      role text not null check (role in ('viewer', 'operator', 'owner')),
      since timestamptz(3) not null,
      primary key (company_id, operator_id),
      foreign key (company_id) references agents.companies (company_id)
    )`);
  await db.raw('create index memberships_by_operator on agents.memberships (operator_id)');
  await db.raw(
    'create index memberships_by_name on agents.memberships (company_id, name, operator_id)',
  );

  await db.raw(`
    create table agents.invites (
      company_id uuid not null,
      id uuid not null,
      email text not null,
      role text not null check (role in ('viewer', 'operator', 'owner')),
      token_digest bytea not null,
      created_at timestamptz(3) not null,
      expires_at timestamptz(3) not null,
      primary key (company_id, id),
      foreign key (company_id) references agents.companies (company_id)
    )`);
  await db.raw(
    'create index invites_by_time on agents.invites (company_id, created_at desc, id desc)',
  );
};

const confineToOneCompany = async (db: Database): Promise<void> => {
  for (const table of ['companies', 'memberships', 'invites']) {
    await db.raw(`alter table agents.${table} enable row level security`);
    await db.raw(`
      create policy one_company on agents.${table}
      using (company_id = nullif(current_setting('app.company_id', true), '')::uuid)`);
  }
};

const createGlobalTables = async (db: Database): Promise<void> => {
  // Global: which company an id belongs to. It tells 403 from 404.
  await db.raw(`
    create table agents.entity_owners (
      id uuid primary key,
      kind text not null check (kind in ('agent', 'key', 'run', 'invite')),
      company_id uuid not null
    )`);

  // Global: where the invite with this token is. Nothing of it tells the token.
  await db.raw(`
    create table agents.invite_digests (
      token_digest bytea primary key,
      company_id uuid not null,
      invite_id uuid not null
    )`);
};

/** Lists across companies: of one operator, and of all for the local board operator. */
const createDirectoryFunctions = async (db: Database): Promise<void> => {
  await db.raw(`
    create function agents.companies_of_operator(
      p_operator_id uuid, p_after_name text, p_after_id uuid, p_limit integer
    )
    returns table (
      company_id uuid, name text, status text, role text,
      created_at timestamptz, updated_at timestamptz
    )
    language sql stable security definer set search_path = ''
    as $$
      select c.company_id, c.name, c.status, m.role, c.created_at, c.updated_at
      from agents.memberships m
      join agents.companies c on c.company_id = m.company_id
      where m.operator_id = p_operator_id
        and (p_after_name is null or (c.name, c.company_id) > (p_after_name, p_after_id))
      order by c.name, c.company_id
      limit p_limit
    $$`);

  await db.raw(`
    create function agents.all_companies(p_after_name text, p_after_id uuid, p_limit integer)
    returns table (
      company_id uuid, name text, status text, created_at timestamptz, updated_at timestamptz
    )
    language sql stable security definer set search_path = ''
    as $$
      select c.company_id, c.name, c.status, c.created_at, c.updated_at
      from agents.companies c
      where (c.name, c.company_id) > (coalesce(p_after_name, ''), coalesce(p_after_id, '${nilUuid}'))
      order by c.name, c.company_id
      limit p_limit
    $$`);
};

/** Sorts before every id. */
const nilUuid = '00000000-0000-0000-0000-000000000000';
