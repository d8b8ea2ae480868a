import type { CompanyTx } from '@commonplace/db';
import type { MutationRow } from './list-mutations.ts';

/** Remembers what became of mutations, in the transaction that applies them. */
export const insertMutations = async (
  tx: CompanyTx,
  rows: readonly MutationRow[],
  at: Date,
): Promise<void> => {
  await tx.query(
    `insert into notes.mutations (company_id, caller, client_id, mutation_id, request_hash, note_id,
       status, revision, conflict_note_id, created_at)
     select $1, r.caller, r."clientId", r."mutationId", decode(r."requestHash", 'hex'), r."noteId",
       r.status, r.revision, r."conflictNoteId", $3
     from json_to_recordset($2) as r (caller text, "clientId" text, "mutationId" text,
       "requestHash" text, "noteId" uuid, status text, revision integer, "conflictNoteId" uuid)`,
    [tx.companyId, JSON.stringify(rows), at],
    'notes: insert mutations',
  );
};
