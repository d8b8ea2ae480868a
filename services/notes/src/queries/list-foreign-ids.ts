import type { NoteId } from '@commonplace/contracts/core';
import { uuidArray, type CompanyTx } from '@commonplace/db';

/** Those of the ids that belong to another company. */
export const listForeignIds = async (tx: CompanyTx, ids: readonly string[]): Promise<NoteId[]> => {
  const rows = await tx.query<{ id: NoteId }>(
    `select f.id from notes.foreign_ids($1::uuid[]) as f (id)`,
    [uuidArray(ids)],
    'notes: list foreign ids',
  );
  return rows.map(({ id }) => id);
};
