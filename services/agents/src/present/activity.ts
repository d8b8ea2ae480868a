import type { ActivityEntry } from '@commonplace/contracts/agents';
import type { ActivityRow } from '../queries/activity.ts';

/** An entry of the audit log as the API returns it. */
export const presentActivity = (
  row: ActivityRow,
  emailVerified: boolean | undefined,
): ActivityEntry => ({
  id: row.id,
  at: row.at.toISOString(),
  actor: {
    kind: row.actorKind,
    id: row.actorId,
    name: row.actorName,
    ...(emailVerified === undefined ? {} : { emailVerified }),
    ...(row.keyId ? { keyId: row.keyId } : {}),
    ...(row.runId ? { runId: row.runId } : {}),
  },
  action: row.action,
  entity: { type: row.entityType, id: row.entityId },
  detail: row.detail,
});
