import type { Schema } from '@commonplace/client';

/** How long the API lets a title be. */
export const titleCharactersMax = 500;

/** The fields of a note that operators edit. */
export type NoteText = {
  readonly title: string;
  readonly content: string;
  readonly folder: string;
  readonly tags: string[];
  readonly pinned: boolean;
  readonly archived: boolean;
};

/** The fields of a note in its editor. */
export const textOf = (note: NoteText | Schema<'NoteData'>): NoteText => {
  const { title, content, folder, tags, pinned, archived } = note;
  return { title, content, folder, tags: [...tags], pinned, archived };
};

type Field = keyof NoteText;

const fields: readonly Field[] = ['title', 'content', 'folder', 'tags', 'pinned', 'archived'];

/** The fields in which two versions differ. */
export const changedFields = (before: NoteText, after: NoteText): readonly Field[] =>
  fields.filter((field) => !isSame(before[field], after[field]));

/** Tags have no order: the server sorts them. */
const isSame = (a: NoteText[Field], b: NoteText[Field]): boolean =>
  a === b ||
  (Array.isArray(a) &&
    Array.isArray(b) &&
    JSON.stringify(a.toSorted()) === JSON.stringify(b.toSorted()));

type Sides = { readonly base: NoteText; readonly mine: NoteText; readonly theirs: NoteText };

/** Their version with my changes applied: a field I did not change is theirs, and tags are merged. */
export const withMine = ({ base, mine, theirs }: Sides): NoteText => ({
  ...theirs,
  ...Object.fromEntries(changedFields(base, mine).map((field) => [field, mine[field]])),
  tags: mergeTags(base.tags, mine.tags, theirs.tags),
});

/** Their tags, with those that I added and without those that I removed. */
export const mergeTags = (
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
): string[] => [
  ...theirs.filter((tag) => mine.includes(tag) || !base.includes(tag)),
  ...mine.filter((tag) => !base.includes(tag) && !theirs.includes(tag)),
];
