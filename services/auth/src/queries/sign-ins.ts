import type { OperatorId } from '@commonplace/contracts/core';
import type { SignInMethod, SignInOutcome, SignInReason } from '@commonplace/contracts/auth';
import type { GlobalTx } from '@commonplace/db';

export type SignInRow = {
  readonly id: string;
  readonly at: Date;
  readonly operator_id: OperatorId | null;
  readonly email: string;
  readonly method: SignInMethod;
  readonly outcome: SignInOutcome;
  readonly reason: SignInReason | null;
  readonly address: string | null;
  readonly user_agent: string | null;
};

/** Adds to the sign-in history, which is append-only. */
export const insertSignIn = async (tx: GlobalTx, row: SignInRow): Promise<void> => {
  await tx.query(
    `insert into auth.sign_ins (id, at, operator_id, email, method, outcome, reason,
                                address, user_agent)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      row.id,
      row.at,
      row.operator_id,
      row.email,
      row.method,
      row.outcome,
      row.reason,
      row.address,
      row.user_agent,
    ],
  );
};

export type SignInPage = {
  /** Null: all operators. */
  readonly operatorId: OperatorId | null;
  readonly beforeId: string | null;
  readonly limit: number;
};

/** Lists the sign-in history, newest first (ids sort by age), before a given entry. */
export const listSignIns = (
  tx: GlobalTx,
  { operatorId, beforeId, limit }: SignInPage,
): Promise<SignInRow[]> =>
  tx.query<SignInRow>(
    `select * from auth.sign_ins
      where ($1::uuid is null or operator_id = $1)
        and ($2::uuid is null or id < $2)
      order by id desc
      limit $3`,
    [operatorId, beforeId, limit],
  );

/** Deletes history before a time; the database function keeps the last 90 days in any case. */
export const deleteOldSignIns = async (tx: GlobalTx, before: Date): Promise<void> => {
  await tx.query('select auth.forget_sign_ins($1)', [before]);
};
