import type { Client } from 'pg';
import { hasCitus } from './has-citus.ts';

export type DistributeOptions = {
  /** A connection of a superuser. */
  readonly client: Pick<Client, 'query'>;
  readonly log: (line: string) => void;
};

type Table = { readonly name: string; readonly isTenant: boolean };

/**
 * Distributes the tables over the nodes of a Citus cluster: tenant tables by `company_id`, so that the rows of a
 * company are on one node, and the global tables as copies on every node. The roles of the services propagate SET
 * LOCAL to the nodes, where row-level security reads it. Does nothing on a plain PostgreSQL, and skips tables that
 * are distributed already.
 */
export const distributeCitusTables = async ({ client, log }: DistributeOptions): Promise<void> => {
  if (!(await hasCitus(client))) {
    return;
  }
  for (const role of ['agents_app', 'notes_app']) {
    await client.query(`alter role ${role} set citus.propagate_set_commands = 'local'`);
  }
  const { rows: tables } = await client.query<Table>(tablesToSpread);
  for (const { name, isTenant } of tables) {
    if (isTenant) {
      await client.query(spread, [name, name === firstTable ? 'none' : firstTable]);
    } else {
      await client.query(copyEverywhere, [name]);
    }
    log(`${isTenant ? 'Distributed' : 'Copied to every node'}: ${name}`);
  }
};

/** All tenant tables are colocated with this one. */
const firstTable = 'agents.companies';

/**
 * Every table of agents and notes that is not distributed yet, referenced tables first, as Citus requires. Tenant
 * tables are those with row-level security. The schema auth has no tenants and stays on the coordinator, as do the
 * histories of migrations.
 */
const tablesToSpread = `
  with recursive tables as (
    select c.oid, format('%I.%I', n.nspname, c.relname) as name, c.relrowsecurity as is_tenant
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('agents', 'notes')
      and c.relkind = 'r'
      and c.relname not like 'knex\\_%'
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

const copyEverywhere = 'select create_reference_table($1::regclass)';
