import type { CompanyId } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';

/** Every company that ever synchronised or wrote a note. */
export const listCompanies = async (tx: GlobalTx): Promise<CompanyId[]> => {
  const rows = await tx.query<{ id: CompanyId }>(
    'select c.id from notes.list_companies() as c (id)',
  );
  return rows.map(({ id }) => id);
};
