import type { AgentId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';

/** How many levels of reports are below an agent: 0 without any. */
export const measureReports = async (tx: CompanyTx, agentId: AgentId): Promise<number> => {
  const [row] = await tx.query<{ levels: number }>(statement, [tx.companyId, agentId]);
  return row?.levels ?? 0;
};

const statement = `
  with recursive below as (
    select $2::uuid as id, 0 as level
    union all
    select a.id, below.level + 1
    from below
    join agents.agents a on a.company_id = $1 and a.reports_to = below.id
    where below.level < 33
  )
  select max(level) as levels from below`;
