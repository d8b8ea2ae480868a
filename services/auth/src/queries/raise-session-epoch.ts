import type { OperatorId } from '@commonplace/contracts/core';
import type { AccountTx } from './tx.ts';

/** Begins another epoch of an operator's sessions: all of the former are dead. Null: no such operator. */
export const raiseSessionEpoch = async (tx: AccountTx, id: OperatorId): Promise<number | null> => {
  const [row] = await tx.query<{ session_epoch: number }>(
    `update auth.operators set session_epoch = session_epoch + 1
      where id = $1
      returning session_epoch`,
    [id],
  );
  return row?.session_epoch ?? null;
};
