import type { CompanyId } from '@commonplace/contracts/core';
import type { CompanyTx, GlobalTx } from '@commonplace/db';
import type { PurgeBatch } from './purge.ts';

/** The companies with proposals that have ended at a time. */
export const listCompaniesWithDueProposals = async (
  tx: GlobalTx,
  due: Date,
): Promise<CompanyId[]> => {
  const rows = await tx.query<{ id: CompanyId }>(
    'select distinct c.id from notes.companies_with_due_proposals($1) as c (id)',
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

/** Removes the texts of decided proposals; returns of how many. */
export const removeProposedTexts = async (
  tx: CompanyTx,
  { before, limit }: PurgeBatch,
): Promise<number> => {
  const rows = await tx.query(
    `update notes.proposals p set content = null
     where p.company_id = $1 and p.id in (
       select d.id from notes.proposals d
       where d.company_id = $1 and d.state <> 'open' and d.expires_at <= $2 and d.content is not null
       limit $3
     )
     returning 1 as removed`,
    [tx.companyId, before, limit],
  );
  return rows.length;
};

/**
 * Deletes proposals that ended long ago, but those whose version names who accepted it, which go with the version; returns how
 * many.
 */
export const deleteProposals = async (
  tx: CompanyTx,
  { before, limit }: PurgeBatch,
): Promise<number> => {
  const rows = await tx.query(
    `delete from notes.proposals p
     where p.company_id = $1 and p.id in (
       select d.id from notes.proposals d
       where d.company_id = $1 and d.state <> 'open' and d.revision is null and d.expires_at <= $2
       limit $3
     )
     returning 1 as gone`,
    [tx.companyId, before, limit],
  );
  return rows.length;
};

/** Deletes proposals that a later one has replaced before a time; returns how many. */
export const deleteSuperseded = async (
  tx: CompanyTx,
  { before, limit }: PurgeBatch,
): Promise<number> => {
  const rows = await tx.query(
    `delete from notes.proposals p
     where p.company_id = $1 and p.id in (
       select d.id from notes.proposals d
       where d.company_id = $1 and d.state = 'superseded' and d.decided_at <= $2
       limit $3
     )
     returning 1 as gone`,
    [tx.companyId, before, limit],
  );
  return rows.length;
};
