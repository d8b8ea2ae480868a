import type {
  ActivityAction,
  ActivityActor,
  ActivityEntityType,
} from '@commonplace/contracts/agents';
import type { ChangeTx } from './tx.ts';

export type NewActivity = {
  readonly id: string;
  readonly at: Date;
  readonly actor: ActivityActor;
  readonly action: ActivityAction;
  readonly entity: { readonly type: ActivityEntityType; readonly id: string };
  readonly detail: Readonly<Record<string, unknown>>;
};

/** Appends entries to the audit of the company. */
export const insertActivity = async (
  tx: ChangeTx,
  entries: readonly NewActivity[],
): Promise<void> => {
  await tx.query(statement, [tx.companyId, JSON.stringify(entries.map(asRecord))]);
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

const statement = `
  insert into agents.activity (
    company_id, id, at, actor_kind, actor_id, actor_name, key_id, run_id,
    action, entity_type, entity_id, detail
  )
  select $1, entry.*
  from jsonb_to_recordset($2::jsonb) as entry (
    id uuid, at timestamptz, actor_kind text, actor_id uuid, actor_name text, key_id uuid,
    run_id uuid, action text, entity_type text, entity_id uuid, detail jsonb
  )`;
