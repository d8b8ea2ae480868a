import { uuidArray, type CompanyTx } from '@commonplace/db';

/**
 * Makes ids the company's own, and gives how many now are. Fewer than asked for means that another
 * company claimed one of them at this very moment.
 */
export const claimIds = async (tx: CompanyTx, ids: readonly string[]): Promise<number> => {
  const rows = await tx.query(
    `select c.id from notes.claim_ids($1::uuid[]) as c (id)`,
    [uuidArray(ids)],
    'notes: claim ids',
  );
  return rows.length;
};
