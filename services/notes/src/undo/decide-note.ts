import type { NoteFields } from '@commonplace/contracts/notes';
import type { Deps } from '../deps.ts';
import {
  decideCreated,
  decideUndo,
  kept,
  removalOf,
  type TextsPlan,
  type UndoDecision,
} from '../rules/undo-note.ts';
import type { PlannedNote } from './planned-note.ts';

/** Decides what becomes of a note by the versions that were read for its plan. */
export const decideNote = async (
  { takeOutLines }: Pick<Deps, 'takeOutLines'>,
  { plan, names }: PlannedNote,
  read: ReadonlyMap<number, NoteFields>,
): Promise<UndoDecision> => {
  if (!('kind' in plan)) {
    return plan;
  }
  if (names.length !== read.size) {
    return { outcome: 'base_purged', lines: [], fields: [], detail: null };
  }
  switch (plan.kind) {
    case 'known': {
      const next = plan.outcome === 'removed' ? { next: null } : {};
      return { outcome: plan.outcome, ...next, lines: [], fields: [], detail: null };
    }
    case 'created':
      return decideCreated(plan, read);
    case 'texts':
      return decideTexts(takeOutLines, plan, read);
  }
};

const decideTexts = async (
  takeOutLines: Deps['takeOutLines'],
  plan: TextsPlan,
  read: ReadonlyMap<number, NoteFields>,
): Promise<UndoDecision> => {
  const taken = await takeOutLines(removalOf(plan, read));
  return taken
    ? decideUndo(plan, read, taken)
    : kept('Its versions differ too much to be compared.');
};
