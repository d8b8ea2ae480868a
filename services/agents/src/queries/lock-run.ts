import type { RunId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { runColumns, type RunRow } from './run-row.ts';

/** Reads and locks a run, so that it ends once only. */
export const lockRun = async (tx: CompanyTx, runId: RunId): Promise<RunRow | null> => {
  const [row] = await tx.query<RunRow>(statement, [tx.companyId, runId]);
  return row ?? null;
};

const statement = `
  select ${runColumns} from agents.runs r
  where r.company_id = $1 and r.id = $2
  for no key update`;
