import { applyTextEdits, tooCostly } from '../edit/apply-text-edits.ts';
import type { ContentEdit, EditedText, IndexedEdit } from '../edit/edit-result.ts';
import { markdownOutline } from '../edit/markdown-outline.ts';
import type { EditChange, PreparedEdit } from './change.ts';
import { CostlyWorkError } from './costly-work.ts';

/** Some milliseconds of work on the event loop: once through a note of half a MiB, every character replaced. */
const inlineCostMax = 2 * 1024 * 1024;

/**
 * The edited content of a note: as the thread made it from this revision, or made here if that is cheap. Throws
 * `CostlyWorkError`: nothing may wait for the thread under the lock.
 */
export const editText = (
  change: EditChange,
  { content, revision, proposalId }: EditedSource,
): EditedText => {
  const { prepared } = change;
  if (prepared?.revision === revision && prepared.proposalId === proposalId) {
    return prepared.edited;
  }
  const options = { outlineOf: markdownOutline, costMax: inlineCostMax };
  const edited = applyTextEdits(content, textEditsOf(change), options);
  if (edited === tooCostly) {
    throw new CostlyWorkError();
  }
  return edited;
};

/** A content, and of which revision or proposal it is. */
type EditedSource = Pick<PreparedEdit, 'revision' | 'proposalId'> & { readonly content: string };

/** The edits of the content, each with its index in the request. */
export const textEditsOf = ({
  edits,
  linkRename,
}: Pick<EditChange, 'edits' | 'linkRename'>): readonly IndexedEdit<ContentEdit>[] => [
  ...edits.flatMap((edit, index) => (edit.op === 'set' ? [] : [{ edit, index }])),
  ...(linkRename ? [{ edit: linkRename, index: edits.length }] : []),
];
