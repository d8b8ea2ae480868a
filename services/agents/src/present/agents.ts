import type { Agent, ApiKey } from '@commonplace/contracts/agents';
import { listGrants, listScopes } from '@commonplace/contracts/core';
import type { AgentDetailRow } from '../queries/agents.ts';
import type { KeyRow } from '../queries/keys.ts';
import { presentBudget } from './budgets.ts';

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
  grants: listGrants(row.grants),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** A key as the API returns it; only creation and rotation return its value. */
export const presentKey = (row: KeyRow): ApiKey => ({
  id: row.id,
  agentId: row.agentId,
  companyId: row.companyId,
  name: row.name,
  prefix: row.prefix,
  scopes: listScopes(row.scopes),
  grants: listGrants(row.grants),
  createdAt: row.createdAt.toISOString(),
  createdBy: { kind: 'operator', id: row.createdBy },
  expiresAt: row.expiresAt?.toISOString() ?? null,
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  revokedAt: row.revokedAt?.toISOString() ?? null,
  replacedBy: row.replacedBy,
});
