import type { Schema } from '../api-client.ts';

/** The fields of a note that a client may write, all of them present. */
export type NoteText = {
  readonly title: string;
  readonly content: string;
  readonly folder: string;
  readonly tags: readonly string[];
  readonly pinned: boolean;
  readonly archived: boolean;
  readonly properties: Readonly<Record<string, unknown>>;
};

/** A note with every field present, its tags as the server keeps them: trimmed, unique, sorted. */
export const noteText = (input: Partial<NoteText>): NoteText => ({
  title: input.title ?? '',
  content: input.content ?? '',
  folder: input.folder ?? '',
  tags: [...new Set((input.tags ?? []).map((tag) => tag.trim().normalize('NFC')))].toSorted(),
  pinned: input.pinned ?? false,
  archived: input.archived ?? false,
  properties: input.properties ?? {},
});

/** The writable fields of a note as the server sent it. */
export const textOf = (note: Schema<'NoteOrSummary'>): NoteText => noteText(note);

/** Whether two notes say the same. The order of the keys of properties means nothing. */
export const isSameText = (a: NoteText, b: NoteText): boolean =>
  a.content === b.content && textKey(a) === textKey(b);

/** The same text for two notes that say the same. */
export const textKey = (text: NoteText): string => JSON.stringify(sortKeys(text));

const sortKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    return value.map(sortKeys);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]) => [key, sortKeys(inner)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
};
