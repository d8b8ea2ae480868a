import { inSpan } from '@commonplace/tracing';
import { coalesced } from './coalesced-reads.ts';
import type { Db } from './create-db.ts';
import { onMultiplexedConnection } from './multiplexed-connections.ts';
import { foldersSetting, reachOf, type Reachable } from './reach.ts';
import { scopedRunner } from './scoped-query.ts';
import type { CompanyTx } from './scoped-tx.ts';
import { databaseSpan, type RunQuery } from './transaction.ts';
import { write } from './write.ts';

/**
 * As `read` in index order, on a connection that is multiplexed with other lookups. For lookups by key only, because
 * the statements behind it wait. Equal concurrent statements are coalesced (see `coalesced-reads.ts`).
 */
export const lookup = async <Result>(
  db: Db,
  of: Reachable,
  work: (tx: CompanyTx) => Promise<Result>,
): Promise<Result> => {
  const reach = reachOf(of);
  const { companyId, folders } = reach;
  if (db.isCitus) {
    return write(db, reach, work);
  }
  const run: RunQuery = (...statement) =>
    onMultiplexedConnection(db.pool, (client) =>
      scopedRunner(db, client, { reach, isInIndexOrder: true })(...statement),
    );
  const key = folders === null ? companyId : `${companyId} ${foldersSetting(folders)}`;
  const query = coalesced(db, key, run);
  return inSpan(
    'lookup',
    () => work({ ...reach, isCitus: false, query } as unknown as CompanyTx),
    databaseSpan,
  );
};
