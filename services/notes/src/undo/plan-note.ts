import type { NoteFields } from '@commonplace/contracts/notes';
import { storedBudget } from '../limits/stored-budget.ts';
import { findSameTexts } from '../rules/find-same-texts.ts';
import { planUndo } from '../rules/plan-undo.ts';
import { kept } from '../rules/undo-note.ts';
import type { PlannedNote } from './planned-note.ts';
import { versionsMax, type NoteHistory } from './read-histories.ts';

/** Versions of others that are read as well, so that what they wrote again counts as theirs. */
const betweenMax = { count: 50, bytes: 2 * 1024 * 1024 } as const;

/** Plans the undo of a note by its history, without any text. Null: it is being written, and has to be read again. */
export const planNote = (history: NoteHistory): PlannedNote | null => {
  const { note, noteId, versions } = history;
  const none = { history, names: [], bytes: 0 };
  if (note && versions.length >= versionsMax) {
    return { ...none, plan: kept(`The note has ${versionsMax} versions or more since.`) };
  }
  if (note && versions.length > 0 && versions.at(-1)?.revision !== note.revision) {
    return null;
  }
  const plan = note
    ? planUndo({ versions, isCreatedByFirst: isCreatedByFirst(history), sameTexts: new Set() })
    : ({ kind: 'known', outcome: 'unchanged' } as const);
  if (plan.kind !== 'texts') {
    return { ...none, plan };
  }
  const needed = bytesOf(plan.needed);
  if (needed > storedBudget.transactionBytes) {
    return { ...none, plan: kept('Its versions are too large to be compared.') };
  }
  const isExact =
    plan.between.length <= betweenMax.count && bytesOf(plan.between) <= betweenMax.bytes;
  const shown = isExact ? [...plan.needed, ...plan.between] : plan.needed;
  const names = shown.map(({ revision }) => ({ id: noteId, revision }));
  return { history, plan, names, bytes: bytesOf(shown) };
};

/**
 * The plan by the texts that were read for it: moving a note and the like is no building on its text. No other texts are needed
 * for it.
 */
export const planByTexts = (
  planned: PlannedNote,
  read: ReadonlyMap<number, NoteFields>,
): PlannedNote => {
  const { history, plan, names } = planned;
  if (!('kind' in plan) || plan.kind !== 'texts' || names.length !== read.size) {
    return planned;
  }
  const { versions } = history;
  const sameTexts = findSameTexts(versions, (revision) => read.get(revision)?.content);
  return {
    ...planned,
    plan: planUndo({ versions, isCreatedByFirst: isCreatedByFirst(history), sameTexts }),
  };
};

const bytesOf = (versions: readonly { readonly size: number }[]): number =>
  versions.reduce((sum, { size }) => sum + size, 0);

/** Whether the first stored version created the note, and none before it was purged. */
const isCreatedByFirst = ({ note, versions: [first] }: NoteHistory): boolean =>
  note !== null && first !== undefined && note.createdAt.getTime() === first.at.getTime();
