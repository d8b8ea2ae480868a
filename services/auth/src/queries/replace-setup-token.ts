import type { GlobalTx } from '@commonplace/db';

/** Puts another setup token in the place of the former, unless there is a first operator already. */
export const replaceSetupToken = async (tx: GlobalTx, digest: string): Promise<boolean> => {
  const rows = await tx.query(
    `update auth.instance set setup_token_digest = $1
      where first_operator_id is null
      returning 1`,
    [digest],
  );
  return rows.length > 0;
};
