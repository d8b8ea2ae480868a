import type { AgentId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { runColumns, type EndedRunRow } from './run-row.ts';

/** Cancels all runs that go on, of one agent or (null) of the whole company; they cost what they reserved. */
export const cancelRunningRuns = (
  tx: CompanyTx,
  agentId: AgentId | null,
  at: Date,
): Promise<EndedRunRow[]> => tx.query<EndedRunRow>(statement, [tx.companyId, agentId, at]);

const statement = `
  update agents.runs r
  set status = 'cancelled', finished_at = $3, cost_cents = r.reserved_cents
  where r.company_id = $1 and ($2::uuid is null or r.agent_id = $2)
    and r.status = 'running' and r.token_expires_at > $3
  returning ${runColumns}`;
