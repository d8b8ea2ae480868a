import type { OperatorId } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';

/** The one row of `auth.instance`. */
export type InstanceRow = {
  /** Null means the instance is not set up. */
  readonly firstOperatorId: OperatorId | null;
  readonly setupTokenDigest: string | null;
  readonly localMembershipsAdoptedAt: Date | null;
};

const instanceColumns = `
  first_operator_id as "firstOperatorId", setup_token_digest as "setupTokenDigest",
  local_memberships_adopted_at as "localMembershipsAdoptedAt"`;

/** Reads the state of the instance. */
export const findInstance = async (tx: GlobalTx): Promise<InstanceRow> => {
  const [row] = await tx.query<InstanceRow>(`select ${instanceColumns} from auth.instance`);
  if (!row) {
    throw new Error('auth.instance has lost its row');
  }
  return row;
};

/**
 * Reads and locks the state of the instance. Creating the first operator and removing an
 * administrator are serialized by this lock, over all replicas.
 */
export const lockInstance = async (tx: GlobalTx): Promise<InstanceRow> => {
  const [row] = await tx.query<InstanceRow>(
    `select ${instanceColumns} from auth.instance for update`,
  );
  if (!row) {
    throw new Error('auth.instance has lost its row');
  }
  return row;
};

/** Records the first operator and clears the setup token. Call it under `lockInstance`. */
export const updateFirstOperator = async (tx: GlobalTx, id: OperatorId): Promise<void> => {
  await tx.query('update auth.instance set first_operator_id = $1, setup_token_digest = null', [
    id,
  ]);
};

/** Replaces the setup token, unless there is a first operator. */
export const replaceSetupToken = async (tx: GlobalTx, digest: string): Promise<boolean> => {
  const rows = await tx.query(
    `update auth.instance set setup_token_digest = $1
      where first_operator_id is null
      returning 1`,
    [digest],
  );
  return rows.length > 0;
};

/** Records when the local memberships were transferred; null means they must be transferred again. */
export const recordTransfer = async (tx: GlobalTx, at: Date | null): Promise<void> => {
  await tx.query('update auth.instance set local_memberships_adopted_at = $1', [at]);
};
