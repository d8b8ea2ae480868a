import type { GlobalTx } from '@commonplace/db';
import type { OperatorRow } from './operator-row.ts';

/** Lists accounts by e-mail, from behind one on. */
export const listOperators = (
  tx: GlobalTx,
  { afterEmail, limit }: { readonly afterEmail: string | null; readonly limit: number },
): Promise<OperatorRow[]> =>
  tx.query<OperatorRow>(
    `select * from auth.operators
      where $1::text is null or email > $1
      order by email
      limit $2`,
    [afterEmail, limit],
  );
