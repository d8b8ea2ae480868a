import type { Client } from 'pg';
import { hasCitus } from './has-citus.ts';
import { ownTenantTables } from './own-tenant-tables.ts';

export type DistributeOptions = {
  /** A connection of a superuser. */
  readonly client: Pick<Client, 'query'>;
  readonly log: (line: string) => void;
};

type Table = { readonly name: string; readonly isTenant: boolean };

/**
 * Distributes the tables over the nodes of a Citus cluster: tenant tables by `company_id`, so that the rows of a
 * company are on one node. The other tables of agents and notes stay on the coordinator, where every node reads and
 * writes them (docs/adr/0036-global-tables-on-the-coordinator.md). The roles of the services propagate SET LOCAL to the
 * nodes, where row-level security reads it. Does nothing on a plain PostgreSQL, and skips tables that Citus knows already:
 * a run after one that was killed does what is left.
 */
export const distributeCitusTables = async ({ client, log }: DistributeOptions): Promise<void> => {
  if (!(await hasCitus(client))) {
    return;
  }
  for (const role of ['agents_app', 'notes_app']) {
    await client.query(`alter role ${role} set citus.propagate_set_commands = 'local'`);
  }
  await ownTenantTables(client);
  const { rows: tables } = await client.query<Table>(tablesToSpread);
  for (const { name, isTenant } of tables) {
    if (isTenant) {
      await client.query(spread, [name, name === firstTable ? 'none' : firstTable]);
    } else {
      await client.query(makeKnown, [name]);
    }
    log(`${isTenant ? 'Distributed' : 'On the coordinator, for every node'}: ${name}`);
  }
  const { rows: originals } = await client.query<{ name: string }>(tablesWithOriginal);
  for (const { name } of originals) {
    await client.query(removeOriginal, [name]);
  }
  const { rows: functions } = await client.query<{ name: string }>(functionsToCopy);
  for (const { name } of functions) {
    await client.query('select create_distributed_function($1)', [name]);
  }
  await client.query(useTitleIndex);
};

/**
 * Those that were created before the database was in a cluster, or by a restore. Migrations create them on every node.
 * Functions in SQL come last, because PostgreSQL checks that what they call exists.
 */
const functionsToCopy = `
  select p.oid::regprocedure::text as name
  from pg_proc p
  join pg_namespace n on n.oid = p.pronamespace
  join pg_language l on l.oid = p.prolang
  where n.nspname in ('agents', 'notes')
    and not exists (
      select from pg_dist_object o where o.classid = 'pg_proc'::regclass and o.objid = p.oid)
  order by l.lanname = 'sql', p.oid`;

/**
 * Under row-level security an index on a function is used only if the function is leakproof, which a superuser declares.
 * This one raises no error that depends on a title. Elsewhere titles are found by a function of the schema's owner, which
 * cannot run on Citus within a transaction that has written.
 */
const useTitleIndex = 'alter function notes.title_key(text) leakproof';

/** All tenant tables are colocated with this one. */
const firstTable = 'agents.companies';

/**
 * Every table of agents and notes that Citus does not know yet, referenced tables first, as it requires. Tenant tables
 * are those with row-level security. Services read the history of their migrations when they start. The schema auth has
 * no tenants, and its service connects to the coordinator.
 */
const tablesToSpread = `
  with recursive tables as (
    select c.oid, format('%I.%I', n.nspname, c.relname) as name, c.relrowsecurity as is_tenant
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('agents', 'notes')
      and c.relkind = 'r'
      and c.relname <> 'knex_migrations_lock'
  ),
  ranked as (
    select oid, 0 as rank from tables
    union
    select f.conrelid, r.rank + 1
    from ranked r
    join pg_constraint f on f.contype = 'f' and f.confrelid = r.oid and f.conrelid <> f.confrelid
  )
  select t.name, t.is_tenant as "isTenant"
  from tables t
  join ranked r on r.oid = t.oid
  where not exists (select from pg_dist_partition p where p.logicalrelid = t.oid)
  group by t.name, t.is_tenant
  order by max(r.rank), t.name <> 'agents.companies', t.name`;

const spread = `select create_distributed_table($1::regclass, 'company_id', colocate_with => $2)`;

/**
 * Distributed tables that still have their rows from before on the coordinator, those of a run that was killed
 * included. Nothing reads them any more. Only shards are written from then on, so that a size means such rows.
 */
const tablesWithOriginal = `
  select format('%I.%I', n.nspname, c.relname) as name
  from pg_dist_partition p
  join pg_class c on c.oid = p.logicalrelid
  join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('agents', 'notes')
    and p.partmethod = 'h'
    and pg_relation_size(c.oid) > 0
  order by 1`;

/** Also removes those of tables that refer to it, so this comes when every table is distributed. */
const removeOriginal = 'select truncate_local_data_after_distributing_table($1::regclass)';

const makeKnown = 'select citus_add_local_table_to_metadata($1::regclass)';
