import type { NoteId } from '@commonplace/contracts/core';
import type { SyncStatus } from '@commonplace/contracts/notes';
import { textArray, type CompanyTx } from '@commonplace/db';

/** What makes a mutation the same one: the caller, its installation, and the id it chose. */
export type MutationKey = {
  readonly caller: string;
  readonly clientId: string;
  readonly mutationId: string;
};

/** A row of notes.mutations: what became of a mutation the first time. */
export type MutationRow = MutationKey & {
  readonly requestHash: string;
  readonly noteId: NoteId;
  readonly status: SyncStatus;
  readonly revision: number | null;
  readonly conflictNoteId: NoteId | null;
};

/** Those of the mutations that were applied before. */
export const listMutations = (
  tx: CompanyTx,
  keys: readonly MutationKey[],
): Promise<MutationRow[]> =>
  tx.query<MutationRow>(
    `select m.caller, m.client_id as "clientId", m.mutation_id as "mutationId",
       encode(m.request_hash, 'hex') as "requestHash", m.note_id as "noteId", m.status, m.revision,
       m.conflict_note_id as "conflictNoteId"
     from unnest($2::text[], $3::text[], $4::text[]) as w (caller, client_id, mutation_id)
     join notes.mutations m
       on m.company_id = $1 and m.caller = w.caller and m.client_id = w.client_id
       and m.mutation_id = w.mutation_id`,
    [
      tx.companyId,
      textArray(keys.map(({ caller }) => caller)),
      textArray(keys.map(({ clientId }) => clientId)),
      textArray(keys.map(({ mutationId }) => mutationId)),
    ],
    'notes: list mutations',
  );
