import type { Reach } from '@commonplace/contracts/core';
import { inIndexOrder, read, type CompanyTx } from '@commonplace/db';
import type { Work } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { completeCatalog, isCatalogComplete } from './catch-up-catalog.ts';

/** How long a request waits for the catalog. Recent writes take milliseconds; a large import goes on later. */
const catchUpMs = 1_000;

export type CatalogRead<Result> = {
  readonly reach: Reach;
  readonly work: Pick<Work<unknown>, 'heavy'>;
  readonly query: (tx: CompanyTx) => Promise<Result>;
};

/** Reads from the catalog of a company after bringing it up to date, as far as that is quick. */
export const readCatalog = async <Result>(
  { db }: Pick<Deps, 'db'>,
  { reach, work, query }: CatalogRead<Result>,
): Promise<{ readonly result: Result; readonly isComplete: boolean }> => {
  const { companyId } = reach;
  const isComplete =
    (await isCatalogComplete(db, companyId)) ||
    (await work.heavy(() => completeCatalog(db, companyId, AbortSignal.timeout(catchUpMs))));
  return { result: await read(db, inIndexOrder(reach), query), isComplete };
};
