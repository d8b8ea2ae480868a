import type { Run } from '@commonplace/contracts/agents';
import type { RunRow } from '../queries/runs.ts';

/**
 * A run as the API shows it. One whose token lapsed is shown as expired at once, as the sweeper will
 * store it in a moment: nobody ever sees a running run with a dead token.
 */
export const presentRun = (row: RunRow, now: Date): Run => {
  const hasLapsed = row.status === 'running' && row.tokenExpiresAt <= now;
  const finishedAt = hasLapsed ? row.tokenExpiresAt : row.finishedAt;
  return {
    id: row.id,
    agentId: row.agentId,
    companyId: row.companyId,
    status: hasLapsed ? 'expired' : row.status,
    trigger: row.trigger,
    startedAt: row.startedAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
    tokenExpiresAt: row.tokenExpiresAt.toISOString(),
    reservedCents: row.reservedCents,
    costCents: hasLapsed ? row.reservedCents : row.costCents,
  };
};
