import type { AgentId, AgentStatus } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';

export type OrgChartRow = {
  readonly id: AgentId;
  readonly name: string;
  readonly title: string;
  readonly role: string;
  readonly status: AgentStatus;
  readonly reportsTo: AgentId | null;
};

/** Lists every agent of the company by name, each with its manager. */
export const listOrgChart = (tx: CompanyTx): Promise<OrgChartRow[]> =>
  tx.query<OrgChartRow>(listOrgChartSql, [tx.companyId]);

const listOrgChartSql = `
  select id, name, title, role, status, reports_to as "reportsTo"
  from agents.agents
  where company_id = $1
  order by name, id`;

/**
 * Lists an agent and all its managers, nearest first. The recursion stops after 33 steps, one more
 * than the longest chain allowed, so it ends in any case.
 */
export const listManagers = async (tx: CompanyTx, agentId: AgentId): Promise<AgentId[]> => {
  const rows = await tx.query<{ id: AgentId }>(listManagersSql, [tx.companyId, agentId]);
  return rows.map((row) => row.id);
};

const listManagersSql = `
  with recursive managers as (
    select a.id, a.reports_to, 1 as depth
    from agents.agents a
    where a.company_id = $1 and a.id = $2
    union all
    select m.id, m.reports_to, managers.depth + 1
    from managers
    join agents.agents m on m.company_id = $1 and m.id = managers.reports_to
    where managers.depth < 33
  )
  select id from managers order by depth`;

/** Returns the number of levels of reports below an agent; 0 for none. */
export const findReportDepth = async (tx: CompanyTx, agentId: AgentId): Promise<number> => {
  const [row] = await tx.query<{ levels: number }>(findReportDepthSql, [tx.companyId, agentId]);
  return row?.levels ?? 0;
};

const findReportDepthSql = `
  with recursive below as (
    select $2::uuid as id, 0 as level
    union all
    select a.id, below.level + 1
    from below
    join agents.agents a on a.company_id = $1 and a.reports_to = below.id
    where below.level < 33
  )
  select max(level) as levels from below`;
