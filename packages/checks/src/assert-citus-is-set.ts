import { read, type Db, type GlobalTx } from '@commonplace/db';
import { RefusedStartError } from './refuse-start.ts';

/**
 * Throws a RefusedStartError where Citus has distributed tables of the service, and the service does not know: the company
 * that it sets would not reach the other nodes, so that it found no note of any.
 */
export const assertCitusIsSet = async (db: Db, service: string): Promise<void> => {
  if (!db.isCitus && (await read(db, 'global', (tx) => hasDistributedTables(tx, service)))) {
    throw new RefusedStartError(
      `The tables of ${service} are distributed over the nodes of a Citus cluster, and DATABASE_CITUS is off. Set DATABASE_CITUS=on.`,
    );
  }
};

const hasDistributedTables = async (tx: GlobalTx, service: string): Promise<boolean> => {
  const [citus] = await tx.query<{ isInstalled: boolean }>(
    `select to_regclass('pg_catalog.pg_dist_partition') is not null as "isInstalled"`,
  );
  return citus?.isInstalled === true && (await listDistributedTables(tx, service)).length > 0;
};

/** One table of a schema that Citus has distributed by a column, if there is one. */
const listDistributedTables = (tx: GlobalTx, schema: string): Promise<object[]> =>
  tx.query(
    `select 1 as found from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
     where c.relnamespace = to_regnamespace($1) and p.partkey is not null
     limit 1`,
    [schema],
  );
