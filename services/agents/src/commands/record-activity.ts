import { newId } from '@commonplace/contracts/core';
import type {
  ActivityAction,
  ActivityActor,
  ActivityEntityType,
} from '@commonplace/contracts/agents';
import { insertActivity } from '../queries/insert-activity.ts';
import type { ChangeTx } from '../queries/tx.ts';

/** Who does something, and when: every change of a company carries it. */
export type Doing = { readonly actor: ActivityActor; readonly at: Date };

export type Deed = {
  readonly action: ActivityAction;
  readonly entity: readonly [type: ActivityEntityType, id: string];
  readonly detail?: Readonly<Record<string, unknown>>;
};

/** Appends to the audit, in the transaction of what it records: both are there, or neither. */
export const recordActivity = async (
  tx: ChangeTx,
  { actor, at }: Doing,
  deeds: readonly Deed[],
): Promise<void> => {
  if (deeds.length === 0) {
    return;
  }
  const entries = deeds.map(({ action, entity: [type, id], detail = {} }) => ({
    id: newId(),
    at,
    actor,
    action,
    entity: { type, id },
    detail,
  }));
  await insertActivity(tx, entries);
};
