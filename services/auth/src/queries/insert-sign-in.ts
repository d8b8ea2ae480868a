import type { OperatorId } from '@commonplace/contracts/core';
import type { SignInMethod, SignInOutcome } from '@commonplace/contracts/auth';
import type { GlobalTx } from '@commonplace/db';

export type SignInRow = {
  readonly id: string;
  readonly at: Date;
  readonly operator_id: OperatorId | null;
  readonly email: string;
  readonly method: SignInMethod;
  readonly outcome: SignInOutcome;
  readonly address: string | null;
  readonly user_agent: string | null;
};

/** Adds to the sign-in history, which nothing changes afterwards. */
export const insertSignIn = async (tx: GlobalTx, row: SignInRow): Promise<void> => {
  await tx.query(
    `insert into auth.sign_ins (id, at, operator_id, email, method, outcome, address, user_agent)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      row.id,
      row.at,
      row.operator_id,
      row.email,
      row.method,
      row.outcome,
      row.address,
      row.user_agent,
    ],
  );
};
