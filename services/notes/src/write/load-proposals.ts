import { mayPropose, type NoteId, type ProposalId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { storedBudget } from '../limits/stored-budget.ts';
import type { MutationRow } from '../queries/mutations.ts';
import {
  countOpenProposals,
  listOpenProposals,
  listProposalsById,
  listProposedNotes,
  type ProposalRow,
  type ProposedNote,
  type ProposedPlace,
} from '../queries/proposals.ts';
import { acceptanceOf, notesOfChange, type WriteRequest } from './change.ts';
import { areReadBefore, type Attempt } from './ended-elsewhere.ts';
import { assertTogether } from './prepare-merges.ts';
import { isConditionalCreate } from './titled-notes.ts';
import { stageProposals, type StagedProposals } from './staged-proposals.ts';

/** The proposals that requests accept or replace, and how many open ones their agents have. */
export type RequestedProposals = {
  readonly rows: readonly ProposalRow[];
  readonly openOf: ReadonlyMap<string, number>;
  /** The keys of the titles of new notes. */
  readonly titleKeyOf: ReadonlyMap<ProposalId, string>;
};

/**
 * Reads the proposals that the changes of a batch accept or replace. Its statements are sent at once, behind that which takes the
 * lock. Without any such change, nothing is read, and nothing for a batch that only accepts: see `areReadBefore`.
 */
export const readProposals = async (
  tx: CompanyTx,
  attempt: Attempt,
): Promise<RequestedProposals> => {
  const { requests } = attempt;
  const acceptances = requests.flatMap(({ changes }) =>
    changes.flatMap((change) => acceptanceOf(change) ?? []),
  );
  const readBefore = areReadBefore(attempt) ? acceptances.map((one) => one.open) : [];
  const accepted = areReadBefore(attempt) ? [] : acceptances.map(({ proposalId }) => proposalId);
  const proposing = requests.filter(({ grants = null }) => mayPropose(grants));
  const notes = proposing.flatMap(notesOf);
  const places = proposing.flatMap(placesOf);
  const bytesMax = storedBudget.transactionBytes;
  const [inPlaces, byId, open, counts] = await Promise.all([
    places.length === 0 ? [] : listProposedNotes(tx, places),
    accepted.length === 0 ? [] : listProposalsById(tx, [...new Set(accepted)]),
    notes.length === 0 ? [] : listOpenProposals(tx, notes, bytesMax),
    proposing.length === 0 ? [] : countOpenProposals(tx),
  ]);
  const needed = new Set(notes.flatMap((note) => (note.isTextNeeded ? [keyOf(note)] : [])));
  assertTogether(
    requests,
    open.some((row) => row.content === null && needed.has(keyOf(row))),
  );
  return {
    // The later ones have their texts.
    rows: [...readBefore, ...inPlaces, ...byId, ...open],
    openOf: new Map(counts.map(({ authorId, count }) => [authorId, count])),
    titleKeyOf: new Map(inPlaces.map(({ id, titleKey }) => [id, titleKey])),
  };
};

type Loading = {
  readonly requests: readonly WriteRequest[];
  readonly requested: RequestedProposals;
  readonly stored: readonly MutationRow[];
  /** Whether there is such a note. */
  readonly isNote: (id: NoteId) => boolean;
  readonly at: Date;
};

/**
 * Stages them with those that repeated changes have made, which only their mutations name, and with the new notes that senders
 * have proposed who write at once since.
 */
export const loadProposals = async (
  tx: CompanyTx,
  { requests, requested, stored, isNote, at }: Loading,
): Promise<StagedProposals> => {
  const { rows, openOf, titleKeyOf } = requested;
  const repeated = stored.flatMap(({ proposalId }) => proposalId ?? []);
  const notes = requests
    .filter(({ grants = null, author }) => author.kind === 'agent' && !mayPropose(grants))
    .flatMap(notesOf)
    .filter(({ noteId, isTextNeeded }) => isTextNeeded && !isNote(noteId));
  const [made, open] = await Promise.all([
    repeated.length === 0 ? [] : listProposalsById(tx, [...new Set(repeated)]),
    notes.length === 0 ? [] : listOpenProposals(tx, notes, storedBudget.transactionBytes),
  ]);
  assertTogether(
    requests,
    open.some(({ content }) => content === null),
  );
  // The later ones have their texts.
  return stageProposals({ rows: [...made, ...rows, ...open], openOf, titleKeyOf, at });
};

const keyOf = ({ authorId, noteId }: Pick<ProposedNote, 'authorId' | 'noteId'>): string =>
  `${authorId} ${noteId}`;

/** The folders where a request creates a note, unless it has proposed one of this title. */
const placesOf = ({ author, changes }: WriteRequest): ProposedPlace[] =>
  changes
    .filter(isConditionalCreate)
    .map(({ fields: { folder, title } }) => ({ authorId: author.id, folder, title }));

/** The notes of which a request may change a proposal. Edits need what was proposed before. */
const notesOf = ({ author, changes }: WriteRequest): ProposedNote[] => {
  const edited = new Set(changes.flatMap(({ rule, id }) => (rule === 'edit' ? [id] : [])));
  return [...new Set(changes.flatMap(notesOfChange))].map((noteId) => ({
    authorId: author.id,
    noteId,
    isTextNeeded: edited.has(noteId),
  }));
};
