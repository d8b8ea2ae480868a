import type { InstanceActivityEntry } from '@commonplace/contracts/auth';
import type { InstanceActivityRow } from '../queries/instance-activity.ts';

/** An entry of the audit log of the instance as the API returns it. */
export const presentInstanceActivity = (row: InstanceActivityRow): InstanceActivityEntry => ({
  id: row.id,
  at: row.at.toISOString(),
  actor: { kind: row.actorKind, id: row.actorId, email: row.actorEmail },
  action: row.action,
  operator: { id: row.operatorId, email: row.operatorEmail },
  detail: { ...row.detail },
});
