import type { CompanyTx } from '@commonplace/db';

/** Takes the lock of a company's writes, unless somebody is writing. What it guards is read afterwards. */
export const tryLockFeed = async (tx: CompanyTx): Promise<boolean> => {
  const rows = await tx.query(
    `select f.company_id from notes.company_feed f
     where f.company_id = $1 for no key update skip locked`,
    [tx.companyId],
  );
  return rows.length > 0;
};
