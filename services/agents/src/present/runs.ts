import type { Run } from '@commonplace/contracts/agents';
import { listGrants, listScopes } from '@commonplace/contracts/core';
import type { RunRow } from '../queries/runs.ts';

/**
 * A run as the API returns it. A run whose token has expired is already shown as expired, before
 * `expireRuns` stores it.
 */
export const presentRun = (row: RunRow, now: Date): Run => {
  const isOverdue = row.status === 'running' && row.tokenExpiresAt <= now;
  const finishedAt = isOverdue ? row.tokenExpiresAt : row.finishedAt;
  return {
    id: row.id,
    agentId: row.agentId,
    companyId: row.companyId,
    status: isOverdue ? 'expired' : row.status,
    trigger: row.trigger,
    scopes: listScopes(row.scopes),
    grants: listGrants(row.grants),
    startedAt: row.startedAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
    tokenExpiresAt: row.tokenExpiresAt.toISOString(),
    reservedCents: row.reservedCents,
    costCents: isOverdue ? Math.max(row.reservedCents, row.reportedCents ?? 0) : row.costCents,
    reportedCents: row.reportedCents,
    inputTokens: row.inputTokens,
    outputTokens: row.outputTokens,
    reason: row.endReason,
  };
};
