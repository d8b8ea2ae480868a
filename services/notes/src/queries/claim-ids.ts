import { uuidArray, type CompanyTx } from '@commonplace/db';

/**
 * Makes ids the company's own, and gives how many now are. Fewer than asked for means that another company
 * has one of them.
 */
export const claimIds = async (tx: CompanyTx, ids: readonly string[]): Promise<number> => {
  const [row] = await tx.query<{ count: number }>(
    `select notes.claim($1::uuid[]) as count`,
    [uuidArray(ids)],
    'notes: claim ids',
  );
  return row?.count ?? 0;
};
