import type { OperatorId } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';

/** The one row of `auth.instance`. */
export type InstanceRow = {
  /** Null: nobody has set this installation up. */
  readonly first_operator_id: OperatorId | null;
  readonly setup_token_digest: string | null;
  readonly local_memberships_adopted_at: Date | null;
};

/** Rejects when the database cannot be asked, or was not migrated. */
export const checkDatabase = async (tx: GlobalTx): Promise<void> => {
  await tx.query('select from auth.instance');
};

/** Reads what is known of this installation. */
export const findInstance = async (tx: GlobalTx): Promise<InstanceRow> => {
  const [row] = await tx.query<InstanceRow>('select * from auth.instance');
  if (!row) {
    throw new Error('auth.instance has lost its row');
  }
  return row;
};

/**
 * Reads what is known of this installation and makes others wait: who creates the first operator or
 * takes an administrator away decides behind this lock, on every replica.
 */
export const lockInstance = async (tx: GlobalTx): Promise<InstanceRow> => {
  const [row] = await tx.query<InstanceRow>('select * from auth.instance for update');
  if (!row) {
    throw new Error('auth.instance has lost its row');
  }
  return row;
};

/** Records the first operator; the setup token has done its work. Call it behind `lockInstance`. */
export const updateFirstOperator = async (tx: GlobalTx, id: OperatorId): Promise<void> => {
  await tx.query('update auth.instance set first_operator_id = $1, setup_token_digest = null', [
    id,
  ]);
};

/** Puts another setup token in the place of the former, unless there is a first operator already. */
export const replaceSetupToken = async (tx: GlobalTx, digest: string): Promise<boolean> => {
  const rows = await tx.query(
    `update auth.instance set setup_token_digest = $1
      where first_operator_id is null
      returning 1`,
    [digest],
  );
  return rows.length > 0;
};

/** Records when the local operator's memberships were handed over; null: they are to be, again. */
export const recordTransfer = async (tx: GlobalTx, at: Date | null): Promise<void> => {
  await tx.query('update auth.instance set local_memberships_adopted_at = $1', [at]);
};
