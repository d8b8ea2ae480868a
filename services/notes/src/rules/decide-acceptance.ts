import type { NoteId } from '@commonplace/contracts/core';
import { rejected, type Decision } from './decision.ts';
import { isActive, type NoteState } from './note-state.ts';

/**
 * What accepting a proposal makes of the note, by what putting it there would: nothing of others is lost, so that a deleted
 * note stays deleted, and an overlap is left to the decider.
 */
export const decideAcceptance = (
  now: NoteState | null,
  put: Decision,
  { proposalOf }: { readonly proposalOf: NoteId | null },
): Decision => {
  if (put.status === 'rejected') {
    return put;
  }
  if (now === null ? proposalOf !== null : !isActive(now)) {
    return rejected('proposal_conflict', 'The note was deleted since.');
  }
  return put.status === 'conflict'
    ? rejected('proposal_conflict', 'Others changed the note where the proposal changes it.')
    : put;
};
