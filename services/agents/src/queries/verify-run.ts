import type { AgentId, AgentStatus, CompanyId, RunId } from '@commonplace/contracts/core';
import type { AnyTx } from './tx.ts';

export type VerifiedRun = {
  readonly runId: RunId;
  readonly companyId: CompanyId;
  readonly agentId: AgentId;
  readonly agentName: string;
  readonly agentStatus: AgentStatus;
  readonly tokenExpiresAt: Date;
};

/**
 * Finds a living run. One look-up joins everything that can kill it: its end, its expiry, a paused or
 * terminated agent, an archived company.
 */
export const verifyRun = async (
  tx: AnyTx,
  runId: RunId,
  now: Date,
): Promise<VerifiedRun | null> => {
  const [row] = await tx.query<VerifiedRun>(statement, [runId, now], 'agents.verify-run');
  return row ?? null;
};

const statement = `
  select run_id as "runId", company_id as "companyId", agent_id as "agentId",
    agent_name as "agentName", agent_status as "agentStatus", token_expires_at as "tokenExpiresAt"
  from agents.verify_run($1, $2)`;
