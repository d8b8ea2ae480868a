import type { NoteId } from '@commonplace/contracts/core';
import type { SyncStatus } from '@commonplace/contracts/notes';
import { arrayText, textArray, type CompanyTx } from '@commonplace/db';

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

/**
 * Those of the mutations that were applied before. Those of one client lie next to each other, so they are
 * looked up together: a client that has sent nothing yet is passed over in one step.
 */
export const listMutations = (
  tx: CompanyTx,
  keys: readonly MutationKey[],
): Promise<MutationRow[]> => {
  const clients = [
    ...Map.groupBy(keys, ({ caller, clientId }) => `${caller} ${clientId}`).values(),
  ];
  const firsts = clients.flatMap(([first]) => (first ? [first] : []));
  return tx.query<MutationRow>(
    `select m.caller, m.client_id as "clientId", m.mutation_id as "mutationId",
       encode(m.request_hash, 'hex') as "requestHash", m.note_id as "noteId", m.status, m.revision,
       m.conflict_note_id as "conflictNoteId"
     from unnest($2::text[], $3::text[], $4::text[]) as w (caller, client_id, mutation_ids)
     cross join lateral (
       select m.* from notes.mutations m
       where m.company_id = $1 and m.caller = w.caller and m.client_id = w.client_id
         and m.mutation_id = any (w.mutation_ids::text[])
       order by m.mutation_id
     ) m`,
    [
      tx.companyId,
      textArray(firsts.map(({ caller }) => caller)),
      textArray(firsts.map(({ clientId }) => clientId)),
      textArray(clients.map((ofOne) => arrayText(ofOne.map(({ mutationId }) => mutationId)))),
    ],
    'notes: list mutations',
  );
};
