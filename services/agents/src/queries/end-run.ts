import type { RunId } from '@commonplace/contracts/core';
import type { RunStatus } from '@commonplace/contracts/agents';
import { runColumns, type EndedRunRow } from './run-row.ts';
import type { ChangeTx } from './tx.ts';

export type RunEnd = {
  readonly status: Exclude<RunStatus, 'running' | 'expired'>;
  readonly at: Date;
  readonly costCents: number;
};

/** Ends a run. Lock it first. */
export const endRun = async (tx: ChangeTx, runId: RunId, end: RunEnd): Promise<EndedRunRow> => {
  const values = [tx.companyId, runId, end.status, end.at, end.costCents];
  const [row] = await tx.query<EndedRunRow>(statement, values);
  return row as EndedRunRow;
};

const statement = `
  update agents.runs r
  set status = $3, finished_at = $4, cost_cents = $5
  where r.company_id = $1 and r.id = $2
  returning ${runColumns}`;
