import type { Client } from 'pg';

/**
 * Owns the tenant tables of agents and notes on Citus, which moves the shards of a company over one logical subscription
 * for each owner, and may end a move before the second one has begun
 * (docs/adr/0072-one-owner-of-tenant-tables-on-citus.md). The owners of the schemas are its members, so that migrations
 * change these tables as before.
 */
const owner = 'tenants_owner';

/** Creates the role. The nodes of Citus log in as it, without a password. */
export const createTenantsOwner = `
  do $$
  begin
    if not exists (select from pg_roles where rolname = '${owner}') then
      create role ${owner} nologin;
    end if;
  end
  $$;
  alter role ${owner} login;
  grant ${owner} to agents_owner, notes_owner`;

/**
 * Gives the role all tenant tables that it does not own yet. Tables come to it before they are distributed, so that no
 * move can find a table of another owner.
 */
export const ownTenantTables = async (client: Pick<Client, 'query'>): Promise<void> => {
  for (const schema of ['agents', 'notes']) {
    for (const right of rightsIn(schema)) {
      await client.query(right);
    }
  }
  const { rows } = await client.query<{ name: string }>(tablesOfOthers);
  for (const { name } of rows) {
    await client.query(`alter table ${name} owner to ${owner}`);
  }
};

/** What Citus needs to create a shard as its owner, and PostgreSQL to compute the values of an index. */
const rightsIn = (schema: string): string[] => [
  `grant usage, create on schema ${schema} to ${owner}`,
  `grant execute on all functions in schema ${schema} to ${owner}`,
  `alter default privileges for role ${schema}_owner in schema ${schema}
     grant execute on functions to ${owner}`,
];

/** Tenant tables are those with row-level security. */
const tablesOfOthers = `
  select format('%I.%I', n.nspname, c.relname) as name
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('agents', 'notes')
    and c.relkind = 'r'
    and c.relrowsecurity
    and c.relowner <> '${owner}'::regrole
  order by 1`;
