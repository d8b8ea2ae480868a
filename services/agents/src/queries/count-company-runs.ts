import type { CompanyTx } from '@commonplace/db';

/** How many runs of a company are running: its agents times the limit of each, at most. */
export const countCompanyRuns = async (tx: CompanyTx, now: Date): Promise<number> => {
  const [row] = await tx.query<{ runs: number }>(statement, [tx.companyId, now]);
  return row?.runs ?? 0;
};

const statement = `
  select count(*)::integer as runs
  from agents.runs
  where company_id = $1 and status = 'running' and token_expires_at > $2`;
