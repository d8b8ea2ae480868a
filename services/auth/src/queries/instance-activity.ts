import type { InstanceAction, InstanceActorKind } from '@commonplace/contracts/auth';
import type { OperatorId } from '@commonplace/contracts/core';
import type { GlobalTx, SqlValue } from '@commonplace/db';

/** A row of `auth.instance_activity`. */
export type InstanceActivityRow = {
  readonly id: string;
  readonly at: Date;
  readonly actorKind: InstanceActorKind;
  /** Null for the shell and the system. */
  readonly actorId: OperatorId | null;
  readonly actorEmail: string | null;
  readonly action: InstanceAction;
  readonly operatorId: OperatorId;
  readonly operatorEmail: string;
  readonly detail: Readonly<Record<string, unknown>>;
};

const columns = `
  id, at, actor_kind as "actorKind", actor_id as "actorId", actor_email as "actorEmail", action,
  operator_id as "operatorId", operator_email as "operatorEmail", detail`;

/** Adds to the audit log, which is append-only. */
export const insertInstanceActivity = async (
  tx: GlobalTx,
  row: InstanceActivityRow,
): Promise<void> => {
  await tx.query(
    `insert into auth.instance_activity
       (id, at, actor_kind, actor_id, actor_email, action, operator_id, operator_email, detail)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      row.id,
      row.at,
      row.actorKind,
      row.actorId,
      row.actorEmail,
      row.action,
      row.operatorId,
      row.operatorEmail,
      JSON.stringify(row.detail),
    ],
  );
};

/** Whether the log has the same action on an operator since a time, with the same detail. */
export const hasRecentActivity = async (
  tx: GlobalTx,
  { action, operatorId, detail }: InstanceActivityRow,
  since: Date,
): Promise<boolean> => {
  const rows = await tx.query(
    `select from auth.instance_activity
      where operator_id = $1 and action = $2 and at > $3 and detail = $4::jsonb
      limit 1`,
    [operatorId, action, since, JSON.stringify(detail)],
  );
  return rows.length > 0;
};

/** Which entries to list; absent: all. */
type ActivityFilter = {
  readonly action?: InstanceAction | undefined;
  readonly operatorId?: OperatorId | undefined;
  readonly actorId?: OperatorId | undefined;
  /** Only those at that time or later, or before. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
};

export type InstanceActivityPage = {
  readonly filter: ActivityFilter;
  /** Null means those of all operators; else those that this operator did, or that were done to it. */
  readonly ownerId: OperatorId | null;
  readonly beforeId: string | null;
  readonly limit: number;
};

/** Lists the audit log, newest first (ids sort by age), before a given entry. */
export const listInstanceActivity = (
  tx: GlobalTx,
  page: InstanceActivityPage,
): Promise<InstanceActivityRow[]> => {
  const { filter } = page;
  const values: SqlValue[] = [];
  const where = (condition: string, value: SqlValue | undefined): string[] =>
    value === undefined || value === null
      ? []
      : [condition.replaceAll('$', `$${values.push(value)}`)];
  const conditions = [
    'true',
    ...where('(operator_id = $::uuid or actor_id = $::uuid)', page.ownerId),
    ...where('operator_id = $::uuid', filter.operatorId),
    ...where('actor_id = $::uuid', filter.actorId),
    ...where('action = $', filter.action),
    ...where('at >= $::timestamptz', filter.since),
    ...where('at < $::timestamptz', filter.until),
    ...where('id < $::uuid', page.beforeId),
  ];
  return tx.query<InstanceActivityRow>(
    `select ${columns}
       from auth.instance_activity
      where ${conditions.join(' and ')}
      order by id desc
      limit $${values.push(page.limit)}`,
    values,
  );
};

/** Deletes entries before a time; the database function keeps the last 365 days in any case. */
export const deleteOldInstanceActivity = async (tx: GlobalTx, before: Date): Promise<void> => {
  await tx.query('select auth.forget_instance_activity($1)', [before]);
};
