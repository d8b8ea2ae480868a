import type { SessionId } from '@commonplace/contracts/core';
import type { AccountTx } from './tx.ts';

/** Takes one session along into the new epoch of its operator. */
export const moveSessionToEpoch = async (
  tx: AccountTx,
  { id, epoch }: { readonly id: SessionId; readonly epoch: number },
): Promise<void> => {
  await tx.query('update auth.sessions set session_epoch = $2 where id = $1', [id, epoch]);
};
