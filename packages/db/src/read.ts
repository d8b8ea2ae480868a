import { inSpan } from '@commonplace/tracing';
import type { Db } from './create-db.ts';
import type { Door, DoorWork } from './doors.ts';
import { onConnection } from './on-connection.ts';
import { withPlannedOnce } from './planned-once.ts';
import { scopeOf, type Target } from './scope.ts';
import { scopedRunner } from './scoped-query.ts';
import type { CompanyTx } from './scoped-tx.ts';
import { databaseSpan, queryRunner } from './transaction.ts';
import { write } from './write.ts';

/**
 * Reads what the target reaches, without a transaction of several statements: each statement sets its own scope (see
 * `scoped-query.ts`), so row-level security costs about 25 µs. In a company, PostgreSQL refuses a statement that writes.
 */
export const read: Door = <Result>(
  db: Db,
  of: Target | 'global',
  work: DoorWork<Result>,
): Promise<Result> =>
  of === 'global' ? work({ query: queryRunner(db) } as never) : readScoped(db, of, work);

const readScoped = async <Result>(db: Db, of: Target, work: DoorWork<Result>): Promise<Result> => {
  if (db.isCitus) {
    return write(db, of, work as (tx: CompanyTx) => Promise<Result>);
  }
  const scope = scopeOf(of);
  const run = () =>
    onConnection(db.pool, (client) => {
      const query = withPlannedOnce(
        scopedRunner(db, client, scope),
        scopedRunner(db, client, { ...scope, isPlannedOnce: true }),
      );
      return work({ ...scope.reach, isCitus: false, query } as never);
    });
  return inSpan('read', run, databaseSpan);
};
