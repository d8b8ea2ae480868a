import {
  undoOutcomes,
  type Undo,
  type UndoneNote,
  type UndoOutcome,
} from '@commonplace/contracts/notes';
import type { UndoneNoteRow } from '../queries/undo-notes.ts';
import type { UndoRow } from '../queries/undos.ts';

type Counted = readonly { readonly outcome: UndoOutcome | null; readonly count: number }[];

/** An undo in the format of the contract, with a page of its notes. */
export const presentUndo = (
  row: UndoRow,
  counted: Counted,
  page: Pick<Undo, 'notes' | 'nextCursor'>,
): Undo => {
  const countOf = new Map(counted.map(({ outcome, count }) => [outcome, count]));
  const total = counted.reduce((sum, { count }) => sum + count, 0);
  return {
    id: row.id,
    status: row.status,
    dryRun: row.isDryRun,
    source: row.source,
    pausedAgentId: row.pausedAgentId,
    lastChange: row.lastChange,
    progress: { done: total - (countOf.get(null) ?? 0), total },
    outcomes: Object.fromEntries(
      undoOutcomes.map((outcome) => [outcome, countOf.get(outcome) ?? 0]),
    ) as Undo['outcomes'],
    withdrawnProposals: row.withdrawnProposals,
    error: row.error,
    createdBy: row.caller.author,
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    ...page,
  };
};

/** What an undo did to a note, in the format of the contract. */
export const presentUndoneNote = (row: UndoneNoteRow): UndoneNote => ({
  noteId: row.noteId,
  title: row.title,
  folder: row.folder,
  outcome: row.outcome,
  revision: row.revision,
  undoes: [...row.undoes],
  base: row.base && {
    revision: row.base.revision,
    createdAt: row.base.at.toISOString(),
    createdBy: row.base.author,
    othersSince: row.base.othersSince,
  },
  lines: [...row.lines],
  fields: [...row.fields],
  conflictOf: row.conflictOf,
  conflictCopies: [...row.conflictCopies],
  merges: [...row.merges],
  detail: row.detail,
  diff: row.diff,
});
