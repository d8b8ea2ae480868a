import type { Db } from './create-db.ts';
import type { Target } from './scope.ts';
import type { CompanyTx, GlobalTx } from './scoped-tx.ts';

/** Runs work on what a company reaches, or on the global tables. */
export type Door = {
  <Result>(db: Db, of: 'global', work: (tx: GlobalTx) => Promise<Result>): Promise<Result>;
  <Result>(db: Db, of: Target, work: (tx: CompanyTx) => Promise<Result>): Promise<Result>;
};

/** Work as the implementation of a door sees it: `Door` says which kind of transaction it takes. */
export type DoorWork<Result> = (tx: never) => Promise<Result>;
