import pg from 'pg';
import type { Db } from './create-db.ts';
import type { Door, DoorWork } from './doors.ts';
import { foldersSetting } from './reach.ts';
import { citusScopeStatement, scopeOf, scopeStatement, type Target } from './scope.ts';
import { inTransaction, type RunQuery } from './transaction.ts';

/**
 * Runs work in one transaction that sees only what the target reaches. It may run again after a deadlock, so it has no
 * effects outside the transaction.
 */
export const write: Door = <Result>(
  db: Db,
  of: Target | 'global',
  work: DoorWork<Result>,
): Promise<Result> =>
  of === 'global'
    ? inTransaction(db, null, (query) => work({ query } as never))
    : writeScoped(db, of, work);

const writeScoped = async <Result>(db: Db, of: Target, work: DoorWork<Result>): Promise<Result> => {
  const scope = scopeOf(of);
  const { reach } = scope;
  const run = (query: RunQuery) => work({ ...reach, isCitus: db.isCitus, query } as never);
  if (!db.isCitus) {
    return inTransaction(db, scopeStatement('write', scope), run);
  }
  const transaction = () =>
    inTransaction(db, citusScopeStatement(reach.companyId), async (query) => {
      if (reach.folders !== null) {
        await query(`set local app.folders = ${pg.escapeLiteral(foldersSetting(reach.folders))}`);
      }
      return run(query);
    });
  return db.limitCompany ? db.limitCompany(reach.companyId, transaction) : transaction();
};
