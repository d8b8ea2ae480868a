import type { CompanyId } from '@commonplace/contracts';
import type { Db } from './create-db.ts';
import { scopedRunner } from './scoped-query.ts';
import { inTransaction, type RunQuery } from './transaction.ts';

declare const companyScoped: unique symbol;

/**
 * A transaction that row-level security confines to one company. Queries of tenant tables take one,
 * and `withCompany` is the only function that makes one: a query cannot be run unscoped.
 */
export type CompanyTx = {
  readonly companyId: CompanyId;
  readonly query: RunQuery;
  readonly [companyScoped]: true;
};

/** How the scope is set is known here alone; the policies read it back with `current_setting`. */
const scopeTo = (companyId: CompanyId) => ({
  name: 'scope',
  text: "select set_config('app.company_id', $1, true)",
  values: [companyId],
});

/** Runs `work` in one transaction that sees only `companyId`. It may run again after a deadlock. */
export const withCompany = <Result>(
  db: Db,
  companyId: CompanyId,
  work: (tx: CompanyTx) => Promise<Result>,
): Promise<Result> =>
  inTransaction(db, scopeTo(companyId), (query) => work({ companyId, query } as CompanyTx));

/**
 * Reads in the scope of `companyId`, without a transaction of more than one statement: each statement
 * brings its scope with it (see `scoped-query.ts`), which makes the second wall cost about 20 µs.
 */
export const readInCompany = async <Result>(
  db: Db,
  companyId: CompanyId,
  read: (tx: CompanyTx) => Promise<Result>,
): Promise<Result> => {
  const client = await db.pool.connect();
  try {
    return await read({ companyId, query: scopedRunner(db, client, companyId) } as CompanyTx);
  } finally {
    // A connection that broke is known to the pool as broken; any other is clean after its answer.
    client.release();
  }
};
