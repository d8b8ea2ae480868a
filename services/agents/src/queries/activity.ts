import type {
  ActivityAction,
  ActivityActor,
  ActivityEntityType,
} from '@commonplace/contracts/agents';
import type { ChangeTx } from './tx.ts';
import type { KeyId, RunId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';

export type NewActivity = {
  readonly id: string;
  readonly at: Date;
  readonly actor: ActivityActor;
  readonly action: ActivityAction;
  readonly entity: { readonly type: ActivityEntityType; readonly id: string };
  readonly detail: Readonly<Record<string, unknown>>;
};

/** Appends entries to the audit log of the company. */
export const insertActivity = async (
  tx: ChangeTx,
  entries: readonly NewActivity[],
): Promise<void> => {
  await tx.query(insertActivitySql, [tx.companyId, JSON.stringify(entries.map(asRecord))]);
};

const asRecord = ({ id, at, actor, action, entity, detail }: NewActivity) => ({
  id,
  at,
  actor_kind: actor.kind,
  actor_id: actor.id,
  actor_name: actor.name,
  key_id: actor.keyId ?? null,
  run_id: actor.runId ?? null,
  action,
  entity_type: entity.type,
  entity_id: entity.id,
  detail,
});

/** With the row of the company, so that Citus inserts where it is. */
const insertActivitySql = `
  insert into agents.activity (
    company_id, id, at, actor_kind, actor_id, actor_name, key_id, run_id,
    action, entity_type, entity_id, detail
  )
  select c.company_id, entry.*
  from agents.companies c
  cross join jsonb_to_recordset($2::jsonb) as entry (
    id uuid, at timestamptz, actor_kind text, actor_id uuid, actor_name text, key_id uuid,
    run_id uuid, action text, entity_type text, entity_id uuid, detail jsonb
  )
  where c.company_id = $1`;

/** Whether the same actor, with the same credential, renewed a run since a time. Lock the run first. */
export const hasRenewalSince = async (
  tx: CompanyTx,
  {
    runId,
    actor,
    since,
  }: { readonly runId: RunId; readonly actor: ActivityActor; readonly since: Date },
): Promise<boolean> => {
  const values = [runId, since, actor.id, actor.keyId ?? null, actor.runId ?? null];
  return (await tx.query(hasRenewalSinceSql, [tx.companyId, ...values])).length > 0;
};

const hasRenewalSinceSql = `
  select 1
  from agents.activity
  where company_id = $1 and entity_id = $2 and action = 'run.renewed' and at > $3
    and actor_id is not distinct from $4::uuid and key_id is not distinct from $5::uuid
    and run_id is not distinct from $6::uuid
  limit 1`;

export type ActivityRow = {
  readonly id: string;
  readonly at: Date;
  readonly actorKind: 'agent' | 'operator' | 'system';
  readonly actorId: string | null;
  readonly actorName: string;
  readonly keyId: KeyId | null;
  readonly runId: RunId | null;
  readonly action: ActivityAction;
  readonly entityType: ActivityEntityType;
  readonly entityId: string;
  readonly detail: Record<string, unknown>;
};

export type ActivityFilter = {
  readonly actor?: string | undefined;
  readonly action?: ActivityAction | undefined;
  readonly entityId?: string | undefined;
  /** Only entries of that time or later, or before. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
};

/** Lists the audit log of the company, newest first; returns up to `limit + 1` rows. */
export const listActivity = (
  tx: CompanyTx,
  filter: ActivityFilter,
  page: { readonly after: readonly [at: string, id: string] | null; readonly limit: number },
): Promise<ActivityRow[]> =>
  tx.query<ActivityRow>(listActivitySql, [
    tx.companyId,
    filter.actor ?? null,
    filter.action ?? null,
    filter.entityId ?? null,
    filter.since ?? null,
    filter.until ?? null,
    ...(page.after ?? [null, null]),
    page.limit + 1,
  ]);

const listActivitySql = `
  select id, at, actor_kind as "actorKind", actor_id as "actorId", actor_name as "actorName",
    key_id as "keyId", run_id as "runId", action, entity_type as "entityType",
    entity_id as "entityId", detail
  from agents.activity
  where company_id = $1
    and ($2::uuid is null or actor_id = $2)
    and ($3::text is null or action = $3)
    and ($4::uuid is null or entity_id = $4)
    and ($5::timestamptz is null or at >= $5)
    and ($6::timestamptz is null or at < $6)
    and ($7::timestamptz is null or (at, id) < ($7, $8::uuid))
  order by at desc, id desc
  limit $9`;
