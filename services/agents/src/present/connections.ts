import type { Connection } from '@commonplace/contracts/agents';
import { listGrants } from '@commonplace/contracts/core';
import type { ConnectionRow } from '../queries/connections.ts';

/** A connection as the API returns it. */
export const presentConnection = (row: ConnectionRow): Connection => ({
  id: row.id,
  companyId: row.companyId,
  agentId: row.agentId,
  client: row.client,
  scopes: [...row.scopes],
  grants: listGrants(row.grants),
  createdBy: { kind: 'operator', id: row.createdBy },
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  revokedAt: row.revokedAt?.toISOString() ?? null,
});
