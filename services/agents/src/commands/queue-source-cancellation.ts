import { newId } from '@commonplace/contracts/core';
import {
  findLastStart,
  insertSourceCancellation,
  type SourceCancellation,
} from '../queries/source-cancellations.ts';
import type { ChangeTx } from '../queries/tx.ts';

/**
 * Queues the cancellation of all runs of a source that run now; those that start later are not its. End the source
 * first, under the lock for which starts wait: the time of a run that started before that may be later than `at`.
 */
export const queueSourceCancellation = async (
  tx: ChangeTx,
  cancellation: Omit<SourceCancellation, 'id'>,
): Promise<void> => {
  const lastStart = await findLastStart(tx, cancellation);
  const at = lastStart && lastStart > cancellation.at ? lastStart : cancellation.at;
  await insertSourceCancellation(tx, { ...cancellation, id: newId(), at });
};
