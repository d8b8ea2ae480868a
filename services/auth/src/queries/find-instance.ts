import type { GlobalTx } from '@commonplace/db';
import type { InstanceRow } from './instance-row.ts';

/** Reads what is known of this installation. */
export const findInstance = async (tx: GlobalTx): Promise<InstanceRow> => {
  const [row] = await tx.query<InstanceRow>('select * from auth.instance');
  if (!row) {
    throw new Error('auth.instance has lost its row');
  }
  return row;
};
