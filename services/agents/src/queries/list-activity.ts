import type { KeyId, RunId } from '@commonplace/contracts/core';
import type { ActivityAction, ActivityEntityType } from '@commonplace/contracts/agents';
import type { CompanyTx } from '@commonplace/db';

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
};

/** The audit of the company, newest first: one more than `limit`, if there are. */
export const listActivity = (
  tx: CompanyTx,
  filter: ActivityFilter,
  page: { readonly after: readonly [at: string, id: string] | null; readonly limit: number },
): Promise<ActivityRow[]> =>
  tx.query<ActivityRow>(statement, [
    tx.companyId,
    filter.actor ?? null,
    filter.action ?? null,
    filter.entityId ?? null,
    ...(page.after ?? [null, null]),
    page.limit + 1,
  ]);

const statement = `
  select id, at, actor_kind as "actorKind", actor_id as "actorId", actor_name as "actorName",
    key_id as "keyId", run_id as "runId", action, entity_type as "entityType",
    entity_id as "entityId", detail
  from agents.activity
  where company_id = $1
    and ($2::uuid is null or actor_id = $2)
    and ($3::text is null or action = $3)
    and ($4::uuid is null or entity_id = $4)
    and ($5::timestamptz is null or (at, id) < ($5, $6::uuid))
  order by at desc, id desc
  limit $7`;
