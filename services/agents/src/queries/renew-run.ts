import type { RunId } from '@commonplace/contracts/core';
import type { ChangeTx } from './tx.ts';

/** Moves the end of a run that goes on; false when it has ended. An earlier end never wins. */
export const renewRun = async (
  tx: ChangeTx,
  runId: RunId,
  times: { readonly now: Date; readonly tokenExpiresAt: Date },
): Promise<boolean> => {
  const rows = await tx.query(statement, [tx.companyId, runId, times.now, times.tokenExpiresAt]);
  return rows.length === 1;
};

const statement = `
  update agents.runs
  set token_expires_at = greatest(token_expires_at, $4)
  where company_id = $1 and id = $2 and status = 'running' and token_expires_at > $3
  returning id`;
