import type { CompanyId } from '@commonplace/contracts/core';
import type { AnyTx } from './tx.ts';

/** Says which companies have runs whose token was not renewed in time. */
export const listCompaniesWithLapsedRuns = async (
  tx: AnyTx,
  now: Date,
  runsMax: number,
): Promise<CompanyId[]> => {
  const rows = await tx.query<{ companyId: CompanyId }>(statement, [now, runsMax]);
  return rows.map((row) => row.companyId);
};

const statement = `
  select company_id as "companyId" from agents.companies_with_lapsed_runs($1, $2)`;
