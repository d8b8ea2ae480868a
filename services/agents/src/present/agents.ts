import {
  remainingCents,
  type Agent,
  type ApiKey,
  type OrgChartNode,
} from '@commonplace/contracts/agents';
import { listScopes } from '@commonplace/contracts/core';
import type { AgentDetailRow } from '../queries/agents.ts';
import type { KeyRow } from '../queries/keys.ts';
import type { OrgChartRow } from '../queries/reporting-lines.ts';

/** An agent as the API returns it. */
export const presentAgent = (row: AgentDetailRow): Agent => ({
  id: row.id,
  companyId: row.companyId,
  name: row.name,
  title: row.title,
  role: row.role,
  status: row.status,
  reportsTo: row.reportsTo,
  chainOfCommand: [...row.chainOfCommand],
  budget: presentBudget(row),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

const presentBudget = (row: AgentDetailRow): Agent['budget'] => {
  const { monthlyCents, spentCents, reservedCents } = row;
  const start = new Date(`${row.month}T00:00:00.000Z`);
  const end = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1));
  return {
    monthlyCents,
    spentCents,
    reservedCents,
    remainingCents: remainingCents(row),
    periodStart: start.toISOString(),
    periodEnd: end.toISOString(),
  };
};

/** Builds the trees of a company from its agents in one pass, keeping their order. */
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

/** A key as the API returns it; only creation and rotation return its value. */
export const presentKey = (row: KeyRow): ApiKey => ({
  id: row.id,
  agentId: row.agentId,
  companyId: row.companyId,
  name: row.name,
  prefix: row.prefix,
  scopes: listScopes(row.scopes),
  createdAt: row.createdAt.toISOString(),
  createdBy: { kind: 'operator', id: row.createdBy },
  expiresAt: row.expiresAt?.toISOString() ?? null,
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  revokedAt: row.revokedAt?.toISOString() ?? null,
});
