import type { CompanyId } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';

/** Which company a note id belongs to; null: it exists nowhere. Tells 403 from 404. */
export const findNoteOwner = async (tx: GlobalTx, id: string): Promise<CompanyId | null> => {
  const [row] = await tx.query<{ owner: CompanyId | null }>('select notes.owner_of($1) as owner', [
    id,
  ]);
  return row?.owner ?? null;
};
