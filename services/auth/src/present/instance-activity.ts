import type { InstanceActivityEntry } from '@commonplace/contracts/auth';
import type { InstanceActivityRow } from '../queries/instance-activity.ts';

/** An entry of the audit log of the instance as the API returns it. */
export const presentInstanceActivity = (row: InstanceActivityRow): InstanceActivityEntry => ({
  id: row.id,
  at: row.at.toISOString(),
  actor: { kind: row.actor_kind, id: row.actor_id, email: row.actor_email },
  action: row.action,
  operator: { id: row.operator_id, email: row.operator_email },
  detail: { ...row.detail },
});
