import type { OperatorId } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';

/** Counts the administrators besides this one who can sign in. Ask it behind the lock of the instance. */
export const countOtherAdministrators = async (tx: GlobalTx, id: OperatorId): Promise<number> => {
  const [row] = await tx.query<{ count: number }>(
    `select count(*)::int as count from auth.operators
      where is_admin and disabled_at is null and id <> $1`,
    [id],
  );
  return row?.count ?? 0;
};
