import type { Db } from './create-db.ts';
import { inTransaction, queryRunner, type RunQuery } from './transaction.ts';

declare const globalScoped: unique symbol;

/**
 * A transaction outside any company: it sees the few global tables (directory, lookups by digest, id → company)
 * and, by row-level security, no row of a tenant table.
 */
export type GlobalTx = { readonly query: RunQuery; readonly [globalScoped]: true };

/** Runs `work` in one transaction that sees global tables only. It may run again after a deadlock. */
export const withGlobal = <Result>(
  db: Db,
  work: (tx: GlobalTx) => Promise<Result>,
): Promise<Result> => inTransaction(db, null, (query) => work({ query } as GlobalTx));

/** Runs one statement against global tables, without an explicit transaction. */
export const runGlobal = <Result>(
  db: Db,
  work: (tx: GlobalTx) => Promise<Result>,
): Promise<Result> => work({ query: queryRunner(db) } as GlobalTx);
