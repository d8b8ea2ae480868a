import type { CompanyTx } from '@commonplace/db';

/** Counts the invites of the company that nobody has accepted. Delete the expired ones first. */
export const countOpenInvites = async (tx: CompanyTx): Promise<number> => {
  const [row] = await tx.query<{ count: number }>(statement, [tx.companyId]);
  return row?.count ?? 0;
};

const statement = `
  select count(*)::int as count from agents.invites where company_id = $1 and accepted_by is null`;
