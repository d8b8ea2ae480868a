import type { NoteId, ProposalId } from '@commonplace/contracts/core';
import type { SyncStatus } from '@commonplace/contracts/notes';
import { arrayText, type CompanyTx } from '@commonplace/db';
import type { PurgeBatch } from './purge.ts';

/** The idempotency key of a mutation: caller, client installation and the id the client chose. */
export type MutationKey = {
  readonly caller: string;
  readonly clientId: string;
  readonly mutationId: string;
};

/** A row of notes.mutations: the first outcome of a mutation. */
export type MutationRow = MutationKey & {
  readonly requestHash: string;
  readonly noteId: NoteId;
  readonly status: SyncStatus;
  readonly revision: number | null;
  readonly conflictNoteId: NoteId | null;
  /** What the mutation became, where it changed nothing; null: it is none. */
  readonly proposalId: ProposalId | null;
};

/**
 * Those of the mutations that were applied before. Mutations of a client are adjacent in the index, so they are
 * looked up together: a client without any costs one step.
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
       m.conflict_note_id as "conflictNoteId", m.proposal_id as "proposalId"
     from unnest($2::text[], $3::text[], $4::text[]) as w (caller, client_id, mutation_ids)
     cross join lateral (
       select m.* from notes.mutations m
       where m.company_id = $1 and m.caller = w.caller and m.client_id = w.client_id
         and m.mutation_id = any (w.mutation_ids::text[])
       order by m.mutation_id
     ) m`,
    [
      tx.companyId,
      firsts.map(({ caller }) => caller),
      firsts.map(({ clientId }) => clientId),
      clients.map((ofOne) => arrayText(ofOne.map(({ mutationId }) => mutationId))),
    ],
    'notes.list-mutations',
  );
};

/** Stores outcomes of mutations, in the transaction that applies them. */
export const insertMutations = async (
  tx: CompanyTx,
  rows: readonly MutationRow[],
  at: Date,
): Promise<void> => {
  await tx.query(
    `insert into notes.mutations (company_id, caller, client_id, mutation_id, request_hash, note_id,
       status, revision, conflict_note_id, proposal_id, created_at)
     select f.company_id, m.caller, m.client_id, m.mutation_id, decode(m.request_hash, 'hex'),
       m.note_id, m.status, m.revision, m.conflict_note_id, m.proposal_id, $2
     from notes.company_feed f
     cross join unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::uuid[], $8::text[],
       $9::integer[], $10::uuid[], $11::uuid[])
       as m (caller, client_id, mutation_id, request_hash, note_id, status, revision,
         conflict_note_id, proposal_id)
     where f.company_id = $1`,
    [
      tx.companyId,
      at,
      rows.map(({ caller }) => caller),
      rows.map(({ clientId }) => clientId),
      rows.map(({ mutationId }) => mutationId),
      rows.map(({ requestHash }) => requestHash),
      rows.map(({ noteId }) => noteId),
      rows.map(({ status }) => status),
      rows.map(({ revision }) => revision),
      rows.map(({ conflictNoteId }) => conflictNoteId),
      rows.map(({ proposalId }) => proposalId),
    ],
    'notes.insert-mutations',
  );
};

/** Deletes the oldest mutations; returns how many. Later retries of them count as new changes. */
export const deleteMutations = async (
  tx: CompanyTx,
  { before, limit }: PurgeBatch,
): Promise<number> => {
  const [row] = await tx.query<{ count: number }>(
    `with old as (
       select m.caller, m.client_id, m.mutation_id from notes.mutations m
       where m.company_id = $1 and m.created_at < $2
       order by m.created_at
       limit $3
       for update skip locked
     ), gone as (
       delete from notes.mutations m using old
       where m.company_id = $1 and m.caller = old.caller and m.client_id = old.client_id
         and m.mutation_id = old.mutation_id
       returning 1
     )
     select count(*)::integer as count from gone`,
    [tx.companyId, before, limit],
  );
  return row?.count ?? 0;
};
