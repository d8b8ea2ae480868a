import type { CompanyId } from '@commonplace/contracts/core';
import type { AnyTx } from './tx.ts';

/** Says which companies have runs that are still to be cancelled, those waiting longest among them. */
export const listCompaniesWithRunCancellations = async (
  tx: AnyTx,
  rowsMax: number,
): Promise<CompanyId[]> => {
  const rows = await tx.query<{ companyId: CompanyId }>(statement, [rowsMax]);
  return rows.map((row) => row.companyId);
};

const statement = `
  select company_id as "companyId" from agents.companies_with_run_cancellations($1)`;
