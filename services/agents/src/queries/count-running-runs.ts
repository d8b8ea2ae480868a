import type { AgentId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';

/** How many runs of an agent go on; counts up to `max`, so that it costs no more than the limit. */
export const countRunningRuns = async (
  tx: CompanyTx,
  { agentId, now, max }: { readonly agentId: AgentId; readonly now: Date; readonly max: number },
): Promise<number> => {
  const [row] = await tx.query<{ runs: number }>(statement, [tx.companyId, agentId, now, max]);
  return row?.runs ?? 0;
};

const statement = `
  select count(*)::integer as runs
  from (
    select 1
    from agents.runs
    where company_id = $1 and agent_id = $2 and status = 'running' and token_expires_at > $3
    limit $4
  ) running`;
