import type { CompanyId } from '@commonplace/contracts/core';
import type { CompanyTx, GlobalTx } from '@commonplace/db';

/** The companies with proposals that have ended at a time. */
export const listCompaniesWithDueProposals = async (
  tx: GlobalTx,
  due: Date,
): Promise<CompanyId[]> => {
  const rows = await tx.query<{ id: CompanyId }>(
    'select c.id from notes.companies_with_due_proposals($1) as c (id)',
    [due],
  );
  return rows.map(({ id }) => id);
};

/** Ends open proposals that nobody decided in time. Their texts are not kept. */
export const expireProposals = async (tx: CompanyTx, due: Date): Promise<void> => {
  await tx.query(
    `update notes.proposals p set state = 'expired', decided_at = $2, content = null
     where p.company_id = $1 and p.state = 'open' and p.expires_at <= $2`,
    [tx.companyId, due],
  );
};

/** Removes the texts of decided proposals. */
export const removeProposedTexts = async (tx: CompanyTx, due: Date): Promise<void> => {
  await tx.query(
    `update notes.proposals p set content = null
     where p.company_id = $1 and p.state <> 'open' and p.expires_at <= $2 and p.content is not null`,
    [tx.companyId, due],
  );
};

/** Deletes proposals that ended long ago, but those whose version names who accepted it. */
export const deleteProposals = async (tx: CompanyTx, before: Date): Promise<void> => {
  await tx.query(
    `delete from notes.proposals p
     where p.company_id = $1 and p.state <> 'open' and p.revision is null and p.expires_at <= $2`,
    [tx.companyId, before],
  );
};
