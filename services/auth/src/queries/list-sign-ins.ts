import type { OperatorId } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';
import type { SignInRow } from './insert-sign-in.ts';

export type SignInPage = {
  /** Null: of everybody. */
  readonly operatorId: OperatorId | null;
  readonly beforeId: string | null;
  readonly limit: number;
};

/** Lists the sign-in history, newest first (ids sort by age), from before one on. */
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
