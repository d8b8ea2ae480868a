import type { GlobalTx } from '@commonplace/db';
import type { InstanceRow } from './instance-row.ts';

/**
 * Reads what is known of this installation and makes others wait: who creates the first operator or
 * takes an administrator away decides behind this lock, on every replica.
 */
export const lockInstance = async (tx: GlobalTx): Promise<InstanceRow> => {
  const [row] = await tx.query<InstanceRow>('select * from auth.instance for update');
  if (!row) {
    throw new Error('auth.instance has lost its row');
  }
  return row;
};
