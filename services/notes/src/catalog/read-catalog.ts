import type { Reach } from '@commonplace/contracts/core';
import { inIndexOrder, read, type CompanyTx } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { completeCatalog, isCatalogComplete } from './catch-up-catalog.ts';

/** How long a request waits for the catalog. Recent writes take milliseconds; a large import goes on later. */
const catchUpMs = 1_000;

export type CatalogRead<Result> = {
  readonly reach: Reach;
  /** Throws when the caller may no longer read. Called after a wait. */
  readonly stillAllowed: () => Promise<unknown>;
  readonly read: (tx: CompanyTx) => Promise<Result>;
};

/** Reads from the catalog of a company after bringing it up to date, as far as that is quick. */
export const readCatalog = async <Result>(
  { db, limitHeavyWork }: Pick<Deps, 'db' | 'limitHeavyWork'>,
  { reach, stillAllowed, read: query }: CatalogRead<Result>,
): Promise<{ readonly result: Result; readonly isComplete: boolean }> => {
  const { companyId } = reach;
  const isComplete =
    (await isCatalogComplete(db, companyId)) ||
    (await limitHeavyWork(companyId, async () => {
      await stillAllowed();
      return completeCatalog(db, companyId, AbortSignal.timeout(catchUpMs));
    }));
  return { result: await read(db, inIndexOrder(reach), query), isComplete };
};
