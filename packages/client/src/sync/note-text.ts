import type { Schema } from '../api-client.ts';

/** The writable fields of a note, all present. */
export type NoteText = {
  readonly title: string;
  readonly content: string;
  readonly folder: string;
  readonly tags: readonly string[];
  readonly pinned: boolean;
  readonly archived: boolean;
  readonly properties: Readonly<Record<string, unknown>>;
};

/** Completes a note's fields, and normalises its tags as the server does: trimmed, unique, sorted. */
export const noteText = (input: Partial<NoteText>): NoteText => ({
  title: input.title ?? '',
  content: input.content ?? '',
  folder: input.folder ?? '',
  tags: [...new Set((input.tags ?? []).map((tag) => tag.trim().normalize('NFC')))].toSorted(),
  pinned: input.pinned ?? false,
  archived: input.archived ?? false,
  properties: input.properties ?? {},
});

/** Returns the writable fields of a note of the API. */
export const textOf = (note: Schema<'NoteOrSummary'>): NoteText => noteText(note);

/** Whether two notes have equal fields. The order of property keys is ignored. */
export const isSameText = (a: NoteText, b: NoteText): boolean =>
  a.content === b.content && textKey(a) === textKey(b);

/** A canonical serialisation: equal for notes with equal fields. */
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
