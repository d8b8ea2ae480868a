import type { ApiKey } from '@commonplace/contracts/agents';
import type { KeyRow } from '../queries/key-row.ts';

/** A key as the API shows it; its value is shown by creation and rotation alone. */
export const presentKey = (row: KeyRow): ApiKey => ({
  id: row.id,
  agentId: row.agentId,
  companyId: row.companyId,
  name: row.name,
  prefix: row.prefix,
  createdAt: row.createdAt.toISOString(),
  createdBy: { kind: 'operator', id: row.createdBy },
  expiresAt: row.expiresAt?.toISOString() ?? null,
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  revokedAt: row.revokedAt?.toISOString() ?? null,
});
