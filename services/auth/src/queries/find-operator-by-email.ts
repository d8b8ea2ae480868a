import type { GlobalTx } from '@commonplace/db';
import type { OperatorRow } from './operator-row.ts';

/** Finds an account by its e-mail, which is in lower case everywhere. */
export const findOperatorByEmail = async (
  tx: GlobalTx,
  email: string,
): Promise<OperatorRow | null> => {
  const [row] = await tx.query<OperatorRow>('select * from auth.operators where email = $1', [
    email,
  ]);
  return row ?? null;
};
