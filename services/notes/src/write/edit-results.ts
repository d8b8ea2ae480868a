import type { TextEdit } from '@commonplace/contracts/notes';
import { applyTextEdits, isHeadingEdit } from '../edit/apply-text-edits.ts';
import type { EditedText, EditFailure, EditThread, IndexedEdit } from '../edit/edit-result.ts';
import type { EditChange, SubmittedChange } from './change.ts';

/** The note whose content is edited. */
type Edited = { readonly content: string; readonly revision: number };

/** The edited contents of a transaction. */
export type EditResults = {
  /** Whether the edit must be made in the thread, and is not made yet. */
  readonly isDue: (change: EditChange, note: Edited) => boolean;
  /** Makes an edit in the thread. */
  readonly make: (change: EditChange, note: Edited) => Promise<void>;
  /** The edited content. */
  readonly find: (change: EditChange, note: Edited) => EditedText;
};

/** Searches of this many characters take some milliseconds at most; more run in the thread. */
const inlineCharactersMax = 1024 * 1024;

/** Time limit of the edits of one note. Half a MiB of Markdown is parsed in a fraction of it. */
const editMsMax = 2_000;

/** Time limit of all edits in the thread of one transaction, which holds the lock of its company. */
const transactionMsMax = 4_000;

/** Creates an empty set of results for one transaction. */
export const createEditResults = (thread: Pick<EditThread, 'edit'>): EditResults => {
  const made = new Map<EditChange, { readonly revision: number; readonly result: EditedText }>();
  let msLeft = transactionMsMax;
  const isMade = (change: EditChange, { revision }: Edited): boolean =>
    made.get(change)?.revision === revision;
  const run = async (change: EditChange, { content }: Edited): Promise<EditedText> => {
    if (msLeft <= 0) {
      return { failure: tooBusy };
    }
    const edits = { content, edits: textEditsOf(change) };
    const { edited, ms } = await thread.edit(edits, Math.min(editMsMax, msLeft));
    msLeft -= ms;
    return edited ?? { failure: tooLong };
  };
  return {
    isDue: (change, note) => isCostly(change, note) && !isMade(change, note),
    make: async (change, note) => {
      made.set(change, { revision: note.revision, result: await run(change, note) });
    },
    find: (change, note) =>
      made.get(change)?.result ?? applyTextEdits(note.content, textEditsOf(change), noOutline),
  };
};

/** Whether the change needs the thread, however small its note is. */
export const needsThread = (change: SubmittedChange): boolean =>
  change.rule === 'edit' && textEditsOf(change).some(({ edit }) => isHeadingEdit(edit));

const isCostly = (change: EditChange, { content }: Edited): boolean =>
  needsThread(change) ||
  textEditsOf(change).filter(({ edit }) => edit.op === 'replace').length * content.length >
    inlineCharactersMax;

const textEditsOf = ({ edits }: EditChange): readonly IndexedEdit<TextEdit>[] =>
  edits.flatMap((edit, index) => (edit.op === 'set' ? [] : [{ edit, index }]));

const noOutline = (): never => {
  throw new Error('Headings are parsed in the thread only');
};

const tooLong: EditFailure = {
  code: 'edit_not_applicable',
  detail: 'The note is too complex to edit at this place; use append, prepend or one replace.',
};

const tooBusy: EditFailure = {
  code: 'busy',
  detail: 'Too many edits of this company are waiting.',
};
