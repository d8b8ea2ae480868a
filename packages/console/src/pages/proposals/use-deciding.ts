import type { Schema } from '@commonplace/client';
import { useState } from 'react';
import { useCan } from '../../app/session/use-can.ts';
import type { DraftPlace } from '../notes/editor/use-draft-place.ts';
import type { EditStart, textsOfProposalDrafts } from './proposal-draft.ts';
import { titleOf } from './proposal-words.ts';
import { useCombined, type Combining } from './use-combined.ts';
import { useComparison, type Comparison } from './use-comparison.ts';
import type { Inbox } from './use-inbox.ts';
import { useProposalDraft } from './use-proposal-draft.ts';
import { showWaysToAccept } from './ways-to-accept.ts';

type Note = Schema<'NoteData'>;

/** How one proposal can be decided; what is null is not possible now, or not for this operator. */
export type Deciding = {
  readonly comparison: Comparison | null;
  /** Where both sides changed the same lines. */
  readonly combining: Combining;
  readonly isOpen: boolean;
  /** It is open, and this operator may decide about it. */
  readonly mayDecide: boolean;
  readonly isPending: boolean;
  /** Of the last attempt to accept this proposal. */
  readonly error: Error | null;
  /** What the editor begins with; null: it is not open. */
  readonly edit: EditStart | null;
  readonly accept: (() => void) | null;
  /** Leads to the ways to accept it, where others changed the same lines. */
  readonly chooseWay: (() => void) | null;
  readonly reject: (() => void) | null;
  readonly openEditor: (() => void) | null;
  readonly startEdit: (start: Pick<EditStart, 'text' | 'isReplacing'>) => void;
  readonly cancelEdit: () => void;
  /** Accepts a text that was made from a version of the note; null: from none. */
  readonly acceptText: (content: string, note: Note | null, onAccepted?: () => boolean) => void;
  /** Where a text that is edited is kept until it is accepted. */
  readonly draftKey: string;
  /** What was edited on an earlier visit; null: nothing. */
  readonly draft: EditStart | null;
  /** What was edited in tabs that were closed. */
  readonly draftsOfTabs: ReturnType<typeof textsOfProposalDrafts>;
  readonly goOnWithDraft: () => void;
  readonly discardDraft: () => void;
  readonly acceptRun: (() => void) | null;
};

/** The decision about one proposal. */
export const useDeciding = (
  detail: Schema<'ProposalDetail'>,
  { decide: { accept }, bulk, isPending, keepOpen }: Inbox,
  place: DraftPlace,
): Deciding => {
  const { id, proposalOf, state, author, current: note } = detail;
  const comparison = useComparison(detail);
  const combining = useCombined(detail, comparison);
  const isOpen = state === 'open';
  const mayDecide = useCan().write && isOpen;
  const [edit, setEdit] = useEdit(mayDecide);
  const isReady = mayDecide && edit === null;
  const fitting = fittingTextOf(comparison);
  const kept = useProposalDraft(place, mayDecide);
  const open = (start: EditStart): void => {
    keepOpen();
    setEdit(start);
  };
  // A draft is not replaced by another text before it is discarded.
  const startEdit: Deciding['startEdit'] = (start) =>
    open(kept.draft ?? { ...start, note, isDraft: false });
  return {
    comparison,
    combining,
    isOpen,
    mayDecide,
    isPending,
    error: accept.variables?.id === id ? accept.error : null,
    edit,
    accept: isReady && fitting !== null ? () => accept.mutate({ id }) : null,
    chooseWay: isReady && combining.combined !== undefined ? showWaysToAccept : null,
    reject: isReady ? () => rejectOne(detail, bulk) : null,
    openEditor:
      isReady && fitting !== null ? () => startEdit({ text: fitting, isReplacing: false }) : null,
    startEdit,
    cancelEdit: () => {
      accept.reset();
      kept.readAgain();
      setEdit(null);
    },
    ...kept,
    goOnWithDraft: () => kept.draft && open(kept.draft),
    acceptText: (content, note, onAccepted) =>
      accept.mutate({
        id,
        ...(onAccepted ? { onAccepted } : {}),
        text: { content, ...(note && proposalOf !== null ? { revision: note.revision } : {}) },
      }),
    acceptRun: isReady && author.runId !== undefined ? bulk.acceptRun(author.runId) : null,
  };
};

/** The proposed text, where nothing that others wrote is in its way. */
const fittingTextOf = (comparison: Comparison | null): string | null =>
  comparison?.kind === 'change' || comparison?.kind === 'new' ? comparison.after.content : null;

/** What the editor begins with, which is closed once the operator may not decide any more. */
const useEdit = (mayDecide: boolean) => {
  const [edit, setEdit] = useState<EditStart | null>(null);
  if (edit !== null && !mayDecide) {
    // Should it become possible again, the draft has the newest text.
    setEdit(null);
  }
  return [mayDecide ? edit : null, setEdit] as const;
};

const rejectOne = (detail: Schema<'ProposalDetail'>, bulk: Inbox['bulk']): void =>
  bulk.reject([detail], `Reject the proposal for ${titleOf(detail)}`);
