import { AppError, newId } from '@commonplace/contracts/core';
import { noteLimits } from '@commonplace/contracts/notes';
import type { Deps } from '../deps.ts';
import { presentNote } from '../present/present-note.ts';
import { proposerOf } from '../present/present-proposal.ts';
import type { ListedProposalRow } from '../queries/list-proposals.ts';
import type { ProposalRow } from '../queries/proposals.ts';
import { isActive, otherFieldsOf } from '../rules/note-state.ts';
import { proposalDecided, proposalStateAt } from '../rules/proposal-state.ts';
import { readWholeNote } from '../read/read-whole-note.ts';
import type { Outcome, SubmittedChange } from '../write/change.ts';
import { assertAccepted, singleOutcome, writerOf, type Writing } from '../write/write-note.ts';
import { assertOfAnother } from './assert-may-decide.ts';
import { readAccepted, type Accepted, type AcceptedText } from './read-accepted.ts';
import type { ProposalCaller } from './proposal-viewer.ts';

export type Accepting = ProposalCaller & Writing;

/**
 * Changes the note to what is proposed, by the one write path. Returns the proposal as it is then. Throws 409
 * `proposal_conflict` with both texts where others changed the same.
 */
export const acceptProposal = async (
  deps: Pick<Deps, 'db' | 'writeNotes' | 'clock'>,
  { caller, company, work }: Accepting,
  { row, text }: { readonly row: ListedProposalRow; readonly text: AcceptedText },
): Promise<ListedProposalRow> => {
  assertOfAnother({ caller }, row);
  assertOpen(row, deps.clock());
  const accepted = await readAccepted(deps, company.reach, { row, text });
  const outcome = singleOutcome(
    await deps.writeNotes(company.id, {
      ...writerOf({ caller, company, work }),
      changes: [changeOf(row, accepted)],
      hasFreshBases: row.noteRevision === accepted.baseRevision,
    }),
  );
  if (outcome.error?.code === 'proposal_conflict') {
    const now = await readWholeNote({ db: deps.db, reader: work }, company.reach, {
      id: row.noteId,
      // Of a note that the write did not read, the size is not known.
      size: outcome.note?.size ?? noteLimits.contentBytesMax,
    });
    throw new AppError('proposal_conflict', outcome.error.detail, {
      extensions: {
        current: isActive(now) ? presentNote(now) : null,
        proposed: { ...otherFieldsOf(row), content: accepted.note.content },
      },
    });
  }
  assertAccepted({ error: outcome.error, note: null });
  return { ...row, ...outcome.proposal, ...noteOf(outcome) };
};

/** The note of a proposal, as the acceptance left it. */
const noteOf = ({ note }: Pick<Outcome, 'note'>) =>
  note && {
    noteTitle: note.title,
    noteFolder: note.folder,
    noteRevision: note.revision,
    isNoteDeleted: note.deletedAt !== null,
  };

/** Throws `proposal_decided`, with what became of the proposal by then. */
export const assertOpen = (row: Pick<ProposalRow, 'state' | 'expiresAt'>, at: Date): void => {
  const state = proposalStateAt(row, at);
  if (state !== 'open') {
    const { code, detail, ...problem } = proposalDecided(state);
    throw new AppError(code, detail, problem);
  }
};

/** Each attempt has a key of its own, by which its merge is found. */
const changeOf = (row: ProposalRow, { note, baseRevision }: Accepted): SubmittedChange => ({
  rule: 'unparsed_put',
  id: row.noteId,
  note,
  baseRevision,
  onConflict: 'merge',
  mutation: { caller: `proposal:${row.id}`, clientId: '', mutationId: newId() },
  acceptance: {
    proposalId: row.id,
    open: row,
    proposalOf: row.proposalOf,
    author: proposerOf(row),
  },
});
