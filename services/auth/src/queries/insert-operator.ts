import type { OperatorId } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';
import type { OperatorRow } from './operator-row.ts';

export type NewOperator = {
  readonly id: OperatorId;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly pepperId: string;
  readonly isAdmin: boolean;
  readonly at: Date;
};

/** Creates an account; null when the e-mail has one already. */
export const insertOperator = async (
  tx: GlobalTx,
  operator: NewOperator,
): Promise<OperatorRow | null> => {
  const { id, email, name, passwordHash, pepperId, isAdmin, at } = operator;
  const [row] = await tx.query<OperatorRow>(
    `insert into auth.operators (id, email, name, password_hash, pepper_id, is_admin, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (email) do nothing
     returning *`,
    [id, email, name, passwordHash, pepperId, isAdmin, at],
  );
  return row ?? null;
};
