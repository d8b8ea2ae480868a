import type { GlobalTx } from '@commonplace/db';

/** Lists the e-mails whose password is hashed with another pepper than this one, disabled ones included. */
export const listFormerPasswords = async (
  tx: GlobalTx,
  currentPepperId: string,
): Promise<string[]> => {
  const rows = await tx.query<{ email: string }>(
    'select email from auth.operators where pepper_id <> $1 order by email',
    [currentPepperId],
  );
  return rows.map(({ email }) => email);
};
