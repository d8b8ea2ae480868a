import type { NoteGrant, NoteId } from '@commonplace/contracts/core';
import type { Author } from '@commonplace/contracts/notes';
import type { ProposalRow } from '../queries/proposals.ts';
import { proposalDecided } from '../rules/proposal-state.ts';
import { modeIn, notAdding, notGranted, writeScopeOf } from '../rules/within-grants.ts';
import {
  acceptanceOf,
  notesOfChange,
  type Change,
  type Outcome,
  type WriteRequest,
} from './change.ts';
import type { MutationLog } from './mutation-log.ts';
import { rejectionOf } from './rejection-of.ts';
import type { StagedNotes } from './staged-notes.ts';
import type { StagedProposals } from './staged-proposals.ts';

type AdmittingState = {
  readonly stagedNotes: StagedNotes;
  readonly mutations: MutationLog;
  readonly proposals: StagedProposals;
};

/**
 * How the sender changes the notes where they are, and puts them where the change says: at once, or as a proposal; or why it
 * does neither. Comes before everything that would reveal them: repetitions, merges, conditions.
 */
export const admitChange = (
  state: AdmittingState,
  { grants = null, author }: WriteRequest,
  change: Change,
): NoteGrant['mode'] | Outcome => {
  const { stagedNotes, mutations } = state;
  const acceptance = acceptanceOf(change);
  const proposal = acceptance && (state.proposals.stateOf(acceptance.proposalId) ?? 'expired');
  if (proposal && proposal !== 'open') {
    return rejectionOf({ status: 'rejected', error: proposalDecided(proposal) });
  }
  if (grants === null) {
    return 'direct';
  }
  const folders = foldersOf(
    change,
    (id) => (stagedNotes.find(id) ?? proposedNew(state, author, change))?.folder,
  );
  if (acceptance) {
    return modeIn(grants, folders, 'any') === 'direct' ? 'direct' : rejectionOf(notGranted);
  }
  if (modeIn(grants, folders, 'append') === null) {
    return rejectionOf(notGranted);
  }
  // A repetition of a change changes nothing more: it needs no more than adding.
  const isRepeated = mutations.find(change) !== null;
  const scope = isRepeated ? 'append' : writeScopeOf(stagedNotes.find(change.id), change);
  return modeIn(grants, folders, scope) ?? rejectionOf(notAdding);
};

/** The new note that the sender of an edit has proposed; null: none. */
export const proposedNew = (
  { proposals }: Pick<AdmittingState, 'proposals'>,
  author: Author,
  { rule, id }: Change,
): ProposalRow | null => {
  const row = rule === 'edit' ? proposals.openFor(author.id, id) : null;
  return row?.proposalOf === null ? row : null;
};

/** Where the notes are, and where the change puts them. */
export const foldersOf = (
  change: Change,
  folderOf: (id: NoteId) => string | undefined,
): (string | undefined)[] => [
  ...notesOfChange(change).map(folderOf),
  ...('fields' in change ? [change.fields.folder] : []),
  ...(change.rule === 'edit' ? change.edits : []).flatMap((edit) =>
    edit.op === 'set' && edit.folder !== undefined ? [edit.folder] : [],
  ),
];
