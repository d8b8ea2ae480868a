import type { Fields } from './use-comparison.ts';

/** A field beside the text that changes: the words that go and those that come. */
type ChangedField = {
  readonly label: string;
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** Whether the field is empty afterwards. */
  readonly isEmptied: boolean;
};

/** The fields beside the text that change; of a new note, those that are set. Of a list only what changes of it. */
export const changedFields = (before: Fields | null, after: Fields): readonly ChangedField[] =>
  shownFields.flatMap(({ label, wordsOf }) => {
    const [old, next] = [before === null ? [] : wordsOf(before), wordsOf(after)];
    const removed = old.filter((words) => !next.includes(words));
    const added = next.filter((words) => !old.includes(words));
    const isChanged = removed.length > 0 || added.length > 0;
    return isChanged ? [{ label, removed, added, isEmptied: next.length === 0 }] : [];
  });

const one = (words: string): readonly string[] => (words === '' ? [] : [words]);
const yes = (isSet: boolean): readonly string[] => (isSet ? ['yes'] : []);

const shownFields: readonly {
  readonly label: string;
  readonly wordsOf: (fields: Fields) => readonly string[];
}[] = [
  { label: 'Title', wordsOf: ({ title }) => one(title) },
  { label: 'Folder', wordsOf: ({ folder }) => one(folder) },
  { label: 'Tags', wordsOf: ({ tags }) => tags.map((tag) => `#${tag}`) },
  { label: 'Pinned', wordsOf: ({ pinned }) => yes(pinned) },
  { label: 'Archived', wordsOf: ({ archived }) => yes(archived) },
  {
    label: 'Properties',
    wordsOf: ({ properties }) =>
      Object.entries(properties).map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
  },
];
