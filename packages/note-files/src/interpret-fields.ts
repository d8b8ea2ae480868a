import { noteText, type NoteText } from '@commonplace/client';
import type { FilePlace } from './note-path.ts';

/** The keys of front matter, by name. */
export type Fields = Readonly<Record<string, unknown>>;

/** Keys that are fields of a note; all others are properties. */
export const reservedKeys: ReadonlySet<string> = new Set([
  'title',
  'folder',
  'tags',
  'pinned',
  'archived',
  'properties',
]);

/**
 * Returns the note that front matter and content express. A value that a field cannot have, such as an empty title,
 * sets nothing: it stays in the front matter, which is kept as it is.
 */
export const interpretFields = (fields: Fields, content: string, place: FilePlace): NoteText => {
  const { title, folder, tags, pinned, archived, properties, ...others } = fields;
  return noteText({
    title: textOf(title) ?? place.title,
    folder: textOf(folder) ?? place.folder,
    tags: tagsOf(tags),
    pinned: pinned === true,
    archived: archived === true,
    properties: { ...others, ...(isMap(properties) ? properties : {}) },
    content,
  });
};

/** Whether a value is a map with text as keys. */
export const isMap = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

const tagsOf = (value: unknown): string[] => {
  const list = typeof value === 'string' ? value.split(',') : [value].flat();
  return list.flatMap((tag) => textOf(tag) ?? []).filter((tag) => tag.trim() !== '');
};
