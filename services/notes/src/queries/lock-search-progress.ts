import type { CompanyTx } from '@commonplace/db';

/** Takes the turn to index a company, until COMMIT; gives up to which change it is indexed. */
export const lockSearchProgress = async (tx: CompanyTx): Promise<number> => {
  await tx.query(
    `insert into notes.search_progress (company_id, change_no) values ($1, 0)
     on conflict (company_id) do nothing`,
    [tx.companyId],
  );
  const [row] = await tx.query<{ changeNo: number }>(
    `select p.change_no as "changeNo" from notes.search_progress p where p.company_id = $1 for update`,
    [tx.companyId],
  );
  return row?.changeNo ?? 0;
};
