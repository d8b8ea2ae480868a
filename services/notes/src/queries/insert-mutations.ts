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
     select $1, unnest($3::text[]), unnest($4::text[]), unnest($5::text[]),
       decode(unnest($6::text[]), 'hex'), unnest($7::uuid[]), unnest($8::text[]),
       unnest($9::integer[]), unnest($10::uuid[]), $2`,
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
