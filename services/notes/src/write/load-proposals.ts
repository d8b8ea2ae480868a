import { mayPropose } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { storedBudget } from '../limits/byte-budget.ts';
import type { MutationRow } from '../queries/mutations.ts';
import {
  countOpenProposals,
  listOpenProposals,
  listProposalsById,
  listProposedNotes,
  type ProposedNote,
  type ProposedPlace,
} from '../queries/proposals.ts';
import { acceptanceOf, notesOfChange, type WriteRequest } from './change.ts';
import { assertTogether } from './prepare-merges.ts';
import { isConditionalCreate } from './titled-notes.ts';
import { stageProposals, type StagedProposals } from './staged-proposals.ts';

type Loading = {
  readonly requests: readonly WriteRequest[];
  readonly stored: readonly MutationRow[];
  readonly at: Date;
};

/** The proposals that the changes of a batch accept, replace or repeat. Without any, nothing is read. */
export const loadProposals = async (
  tx: CompanyTx,
  { requests, stored, at }: Loading,
): Promise<StagedProposals> => {
  const named = [
    ...requests.flatMap(({ changes }) =>
      changes.flatMap((change) => acceptanceOf(change)?.proposalId ?? []),
    ),
    ...stored.flatMap(({ proposalId }) => proposalId ?? []),
  ];
  const proposing = requests.filter(({ grants = null }) => mayPropose(grants));
  const notes = proposing.flatMap(notesOf);
  const places = proposing.flatMap(placesOf);
  const bytesMax = storedBudget.transactionBytes;
  const [inPlaces, byId, open, counts] = await Promise.all([
    places.length === 0 ? [] : listProposedNotes(tx, places),
    named.length === 0 ? [] : listProposalsById(tx, [...new Set(named)]),
    notes.length === 0 ? [] : listOpenProposals(tx, notes, bytesMax),
    proposing.length === 0 ? [] : countOpenProposals(tx),
  ]);
  const needed = new Set(notes.flatMap((note) => (note.isTextNeeded ? [keyOf(note)] : [])));
  assertTogether(
    requests,
    open.some((row) => row.content === null && needed.has(keyOf(row))),
  );
  return stageProposals({
    // The later ones have their texts.
    rows: [...inPlaces, ...byId, ...open],
    openOf: new Map(counts.map(({ authorId, count }) => [authorId, count])),
    at,
  });
};

const keyOf = ({ authorId, noteId }: Pick<ProposedNote, 'authorId' | 'noteId'>): string =>
  `${authorId} ${noteId}`;

/** The folders where a request creates a note, unless it has proposed one of this title. */
const placesOf = ({ author, changes }: WriteRequest): ProposedPlace[] =>
  changes
    .filter(isConditionalCreate)
    .map(({ fields }) => ({ authorId: author.id, folder: fields.folder }));

/** The notes of which a request may change a proposal. Edits need what was proposed before. */
const notesOf = ({ author, changes }: WriteRequest): ProposedNote[] => {
  const edited = new Set(changes.flatMap(({ rule, id }) => (rule === 'edit' ? [id] : [])));
  return [...new Set(changes.flatMap(notesOfChange))].map((noteId) => ({
    authorId: author.id,
    noteId,
    isTextNeeded: edited.has(noteId),
  }));
};
