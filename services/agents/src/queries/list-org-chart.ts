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

/** Every agent of the company by name, each with its manager. */
export const listOrgChart = (tx: CompanyTx): Promise<OrgChartRow[]> =>
  tx.query<OrgChartRow>(statement, [tx.companyId]);

const statement = `
  select id, name, title, role, status, reports_to as "reportsTo"
  from agents.agents
  where company_id = $1
  order by name, id`;
