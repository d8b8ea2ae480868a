import type { AgentId } from '@commonplace/contracts/core';
import { runColumns, type EndedRunRow } from './run-row.ts';
import type { ChangeTx } from './tx.ts';

export type RunsToCancel = {
  /** Null: of the whole company. */
  readonly agentId: AgentId | null;
  readonly at: Date;
  readonly limit: number;
};

/**
 * Cancels runs that went on at a moment, `limit` at most; they cost what they reserved. Runs that another
 * transaction is ending right now are passed over.
 */
export const cancelRunningRuns = (
  tx: ChangeTx,
  { agentId, at, limit }: RunsToCancel,
): Promise<EndedRunRow[]> => tx.query<EndedRunRow>(statement, [tx.companyId, agentId, at, limit]);

const statement = `
  update agents.runs r
  set status = 'cancelled', finished_at = $3, cost_cents = r.reserved_cents
  where r.company_id = $1 and r.id in (
    select going.id
    from agents.runs going
    where going.company_id = $1 and ($2::uuid is null or going.agent_id = $2)
      and going.status = 'running' and going.token_expires_at > $3
    limit $4
    for update skip locked
  )
  returning ${runColumns}`;
