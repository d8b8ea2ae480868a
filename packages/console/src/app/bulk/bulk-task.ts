import type { Schema } from '@commonplace/client';
import { titleText } from '../../components/title-text.ts';

/** What is done with each of the selected notes. */
export type BulkAction =
  | { readonly kind: 'move'; readonly folder: string }
  | { readonly kind: 'tag'; readonly add: readonly string[]; readonly remove: readonly string[] }
  | { readonly kind: 'archive'; readonly archived: boolean }
  | { readonly kind: 'pin'; readonly pinned: boolean }
  | { readonly kind: 'delete' }
  | { readonly kind: 'restore' };

export type ListedNote = Schema<'ListedNote'>;

/** One action on one note, as it was listed: a later revision is left alone. */
export type BulkTask = {
  readonly action: BulkAction;
  readonly noteId: string;
  readonly title: string;
  readonly revision: number;
  /** With it the change may be sent again after a lost response. */
  readonly mutationId: string;
  /** The action that takes it back, given the revision it leads to. */
  readonly inverse: BulkAction;
};

/** A note that is as an action wanted it. */
export type DoneTask = {
  readonly noteId: string;
  /** The task that takes the action back; null: another user had deleted or restored the note already. */
  readonly back: BulkTask | null;
};

/** The same action on every note. */
export const tasksOf = (notes: readonly ListedNote[], action: BulkAction): readonly BulkTask[] =>
  notes.map((note) => taskOf(note, action));

/** What a task needs of a note, which may be listed or read. */
type TaskNote = Pick<
  ListedNote,
  'id' | 'title' | 'revision' | 'folder' | 'tags' | 'archived' | 'pinned'
>;

/** An action on one note. */
export const taskOf = (note: TaskNote, action: BulkAction): BulkTask => ({
  action,
  noteId: note.id,
  title: titleText(note.title),
  revision: note.revision,
  mutationId: crypto.randomUUID(),
  inverse: inverseOf(note, action),
});

/** Takes back what changed: a tag that the note had before is not removed. */
const inverseOf = (note: TaskNote, action: BulkAction): BulkAction => {
  switch (action.kind) {
    case 'move':
      return { kind: 'move', folder: note.folder };
    case 'tag':
      return {
        kind: 'tag',
        add: action.remove.filter((tag) => note.tags.includes(tag)),
        remove: action.add.filter((tag) => !note.tags.includes(tag)),
      };
    case 'archive':
      return { kind: 'archive', archived: note.archived };
    case 'pin':
      return { kind: 'pin', pinned: note.pinned };
    case 'delete':
      return { kind: 'restore' };
    case 'restore':
      return { kind: 'delete' };
  }
};

/** The task that takes another one back, which led to this revision. */
export const taskBack = (task: BulkTask, revision: number): BulkTask => {
  const { action, inverse } = task;
  return { ...task, action: inverse, inverse: action, revision, mutationId: crypto.randomUUID() };
};

/** The action as a past participle: "moved". */
export const doneWord = (action: BulkAction): string => {
  switch (action.kind) {
    case 'move':
      return 'moved';
    case 'tag':
      return 'tagged';
    case 'archive':
      return action.archived ? 'archived' : 'unarchived';
    case 'pin':
      return action.pinned ? 'pinned' : 'unpinned';
    case 'delete':
      return 'deleted';
    case 'restore':
      return 'restored';
  }
};

/** The action while it runs: "Moving". */
export const runningWord = (action: BulkAction): string => {
  switch (action.kind) {
    case 'move':
      return 'Moving';
    case 'tag':
      return 'Tagging';
    case 'archive':
      return action.archived ? 'Archiving' : 'Unarchiving';
    case 'pin':
      return action.pinned ? 'Pinning' : 'Unpinning';
    case 'delete':
      return 'Deleting';
    case 'restore':
      return 'Restoring';
  }
};
