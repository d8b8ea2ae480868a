import { applyTextEdits, tooCostly } from '../edit/apply-text-edits.ts';
import type { ContentEdit, EditedText, IndexedEdit } from '../edit/edit-result.ts';
import { markdownOutline } from '../edit/markdown-outline.ts';
import type { EditChange } from './change.ts';

/** Some milliseconds of work on the event loop: once through a note of half a MiB, every character replaced. */
const inlineCostMax = 2 * 1024 * 1024;

/** The edits of a change cost more than the event loop can give while the lock of the company is held. */
export class CostlyEditError extends Error {
  constructor() {
    super('These edits are made in the thread, before the lock is taken');
    this.name = 'CostlyEditError';
  }
}

/**
 * The edited content of a note: as the thread made it from this revision, or made here if that is cheap. Throws
 * `CostlyEditError`: nothing may wait for the thread under the lock.
 */
export const editText = (
  change: EditChange,
  { content, revision }: { readonly content: string; readonly revision: number },
): EditedText => {
  if (change.prepared?.revision === revision) {
    return change.prepared.edited;
  }
  const options = { outlineOf: markdownOutline, costMax: inlineCostMax };
  const edited = applyTextEdits(content, textEditsOf(change), options);
  if (edited === tooCostly) {
    throw new CostlyEditError();
  }
  return edited;
};

/** The edits of the content, each with its index in the request. */
export const textEditsOf = ({
  edits,
  linkRename,
}: Pick<EditChange, 'edits' | 'linkRename'>): readonly IndexedEdit<ContentEdit>[] => [
  ...edits.flatMap((edit, index) => (edit.op === 'set' ? [] : [{ edit, index }])),
  ...(linkRename ? [{ edit: linkRename, index: edits.length }] : []),
];
