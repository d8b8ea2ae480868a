import type { OperatorId } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';

export type Rehash = {
  readonly id: OperatorId;
  readonly formerHash: string;
  readonly passwordHash: string;
  readonly pepperId: string;
};

/** Stores the same password under the current pepper and cost, unless it was changed in between. */
export const replacePasswordHash = async (
  tx: GlobalTx,
  { id, formerHash, passwordHash, pepperId }: Rehash,
): Promise<void> => {
  await tx.query(
    `update auth.operators set password_hash = $3, pepper_id = $4
      where id = $1 and password_hash = $2`,
    [id, formerHash, passwordHash, pepperId],
  );
};
