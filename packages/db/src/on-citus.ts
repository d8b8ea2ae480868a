import type { CompanyId } from '@commonplace/contracts/core';
import type { Db } from './create-db.ts';
import type { CompanyTx } from './scoped-tx.ts';

/** What a door knows and hides: whether the server is the coordinator of a Citus cluster. */
export const isOnCitus = (tx: CompanyTx): boolean =>
  (tx as CompanyTx & { readonly isCitus?: boolean }).isCitus === true;

/**
 * Chooses what runs on a plain PostgreSQL or on Citus, for the few statements that Citus refuses: those that write two
 * tables, and those whose functions run as another role.
 */
export const forServer = <Choice>(
  tx: CompanyTx,
  { plain, citus }: { readonly plain: Choice; readonly citus: Choice },
): Choice => (isOnCitus(tx) ? citus : plain);

/**
 * Reads rows of several companies in one statement. A node of Citus that is down fails it for the companies of all nodes:
 * then each company is read alone, and it fails only if none can be read.
 */
export const readAvailable = async <Row>(
  { isCitus }: Pick<Db, 'isCitus'>,
  companies: readonly CompanyId[],
  readRows: (some: readonly CompanyId[]) => Promise<readonly Row[]>,
): Promise<Row[]> => {
  try {
    return [...(await readRows(companies))];
  } catch (error) {
    if (!isCitus || companies.length === 1) {
      throw error;
    }
    return readOneByOne(companies, readRows);
  }
};

const readOneByOne = async <Row>(
  companies: readonly CompanyId[],
  readRows: (some: readonly CompanyId[]) => Promise<readonly Row[]>,
): Promise<Row[]> => {
  const found: Row[] = [];
  const errors: unknown[] = [];
  for (const id of companies) {
    await readRows([id]).then(
      (rows) => void found.push(...rows),
      (error: unknown) => void errors.push(error),
    );
  }
  if (errors.length === companies.length) {
    throw errors[0];
  }
  return found;
};
