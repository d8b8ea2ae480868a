import type { GlobalTx } from '@commonplace/db';

/** Saves what a session holds, if it is still there: a session that was ended stays so. */
export const updateSessionData = async (
  tx: GlobalTx,
  { digest, data }: { readonly digest: string; readonly data: object },
): Promise<void> => {
  await tx.query('update auth.sessions set sess = $2 where sid = $1', [
    digest,
    JSON.stringify(data),
  ]);
};
