import type { CompanyTx } from '@commonplace/db';

/** Opens the feed of a company that has none. Somebody else may do so at the same moment. */
export const insertFeed = async (tx: CompanyTx, epoch: string): Promise<void> => {
  await tx.query(
    `insert into notes.company_feed (company_id, epoch) values ($1, $2)
     on conflict (company_id) do nothing`,
    [tx.companyId, epoch],
  );
};
