import type { OrgChartNode } from '@commonplace/contracts/agents';
import type { OrgChartRow } from '../queries/list-org-chart.ts';

/** Builds the trees of a company from its agents, in their order, in one pass. */
export const presentOrgChart = (rows: readonly OrgChartRow[]): { roots: OrgChartNode[] } => {
  const nodes = new Map(rows.map((row) => [row.id, nodeOf(row)]));
  const roots: OrgChartNode[] = [];
  for (const row of rows) {
    const node = nodes.get(row.id);
    const manager = row.reportsTo === null ? undefined : nodes.get(row.reportsTo);
    if (node) {
      (manager?.reports ?? roots).push(node);
    }
  }
  return { roots };
};

const nodeOf = ({ id, name, title, role, status }: OrgChartRow): OrgChartNode => ({
  id,
  name,
  title,
  role,
  status,
  reports: [],
});
