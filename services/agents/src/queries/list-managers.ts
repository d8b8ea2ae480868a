import type { AgentId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';

/**
 * An agent and everybody above it, nearest first. The walk ends after 33 steps, one more than a chain
 * may be long, so that it ends in any case.
 */
export const listManagers = async (tx: CompanyTx, agentId: AgentId): Promise<AgentId[]> => {
  const rows = await tx.query<{ id: AgentId }>(statement, [tx.companyId, agentId]);
  return rows.map((row) => row.id);
};

const statement = `
  with recursive line as (
    select a.id, a.reports_to, 1 as depth
    from agents.agents a
    where a.company_id = $1 and a.id = $2
    union all
    select m.id, m.reports_to, line.depth + 1
    from line
    join agents.agents m on m.company_id = $1 and m.id = line.reports_to
    where line.depth < 33
  )
  select id from line order by depth`;
