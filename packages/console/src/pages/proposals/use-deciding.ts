import type { Schema } from '@commonplace/client';
import type { Combined } from '@commonplace/merge';
import { useState } from 'react';
import { useCan } from '../../app/session/use-can.ts';
import { titleOf } from './proposal-words.ts';
import { openRejectForm } from './reject-form.tsx';
import { useCombined } from './use-combined.ts';
import { useComparison, type Comparison } from './use-comparison.ts';
import type { Inbox } from './use-inbox.ts';
import { showWaysToAccept } from './ways-to-accept.ts';

type Note = Schema<'NoteData'>;

type EditStart = {
  readonly text: string;
  /** The text lacks what others have written since: accepting it discards that. */
  readonly isReplacing: boolean;
};

/** How one proposal can be decided; what is null is not possible now, or not for this operator. */
export type Deciding = {
  readonly comparison: Comparison | null;
  /** Where both sides changed the same lines: see `useCombined`. */
  readonly combined: Combined | null | undefined;
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
  readonly startEdit: (start: EditStart) => void;
  readonly cancelEdit: () => void;
  /** Accepts a text that was made from a version of the note; null: from none. */
  readonly acceptText: (content: string, note: Note | null) => void;
  readonly acceptRun: (() => void) | null;
};

/** The decision about one proposal. */
export const useDeciding = (
  detail: Schema<'ProposalDetail'>,
  { decide: { accept }, bulk, isPending, keepOpen }: Inbox,
): Deciding => {
  const { id, proposalOf, state, author } = detail;
  const can = useCan();
  const comparison = useComparison(detail);
  const combined = useCombined(detail, comparison);
  const [edit, setEdit] = useState<EditStart | null>(null);
  const mayDecide = can.write && state === 'open';
  const isReady = mayDecide && edit === null;
  const fitting =
    comparison?.kind === 'change' || comparison?.kind === 'new' ? comparison.after.content : null;
  const startEdit = (start: EditStart): void => {
    keepOpen();
    setEdit(start);
  };
  return {
    comparison,
    combined,
    mayDecide,
    isPending,
    error: accept.variables?.id === id ? accept.error : null,
    edit: mayDecide ? edit : null,
    accept: isReady && fitting !== null ? () => accept.mutate({ id }) : null,
    chooseWay: isReady && combined !== undefined ? showWaysToAccept : null,
    reject: isReady
      ? () =>
          openRejectForm(
            { title: `Reject the proposal for ${titleOf(detail)}`, count: 1 },
            (reason) =>
              bulk.decide([{ id, decision: 'reject', reason }], new Map([[id, titleOf(detail)]])),
          )
      : null,
    openEditor:
      isReady && fitting !== null ? () => startEdit({ text: fitting, isReplacing: false }) : null,
    startEdit,
    cancelEdit: () => {
      accept.reset();
      setEdit(null);
    },
    acceptText: (content, note) =>
      accept.mutate({
        id,
        text: { content, ...(note && proposalOf !== null ? { revision: note.revision } : {}) },
      }),
    acceptRun: isReady && author.runId !== undefined ? bulk.acceptRun(author.runId) : null,
  };
};
