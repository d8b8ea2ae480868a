import { integerArray, textArray, uuidArray, type CompanyTx } from '@commonplace/db';
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
     select $1, r.caller, r.client_id, r.mutation_id, decode(r.request_hash, 'hex'), r.note_id,
       r.status, r.revision, r.conflict_note_id, $2
     from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::uuid[], $8::text[],
       $9::integer[], $10::uuid[]) as r (caller, client_id, mutation_id, request_hash, note_id,
       status, revision, conflict_note_id)`,
    [
      tx.companyId,
      at,
      textArray(rows.map(({ caller }) => caller)),
      textArray(rows.map(({ clientId }) => clientId)),
      textArray(rows.map(({ mutationId }) => mutationId)),
      textArray(rows.map(({ requestHash }) => requestHash)),
      uuidArray(rows.map(({ noteId }) => noteId)),
      textArray(rows.map(({ status }) => status)),
      integerArray(rows.map(({ revision }) => revision)),
      uuidArray(rows.map(({ conflictNoteId }) => conflictNoteId)),
    ],
    'notes: insert mutations',
  );
};
