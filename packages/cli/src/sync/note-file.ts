import { noteText, type NoteText } from '@commonplace/client';
import { parseDocument, stringify } from 'yaml';

/*
 * A note as a file: its content as it is, under front matter (YAML between two lines `---`) for what
 * the place and name of the file do not say. Keys that are no fields of a note are its properties.
 */

/** What the place of a file says about its note. */
export type FilePlace = { readonly title: string; readonly folder: string };

/** A file that cannot be read as a note. It is left alone, and told about. */
export class UnreadableFileError extends Error {}

const frontMatter = /^---[ \t]*\r?\n([^]*?)(?:^|\n)---[ \t]*(?:\r?\n|$)/;

/** Reads a note from a file. Throws an UnreadableFileError when its front matter makes no sense. */
export const readNoteFile = (file: string, place: FilePlace): NoteText => {
  const match = frontMatter.exec(file);
  const fields = match ? parseFields(match[1] ?? '') : null;
  if (!match || !fields) {
    return noteText({ ...place, content: file });
  }
  const { title, folder, tags, pinned, archived, properties, ...others } = fields;
  return noteText({
    title: title === undefined ? place.title : expectText('title', title),
    folder: folder === undefined ? place.folder : expectText('folder', folder),
    tags: expectTags(tags ?? []),
    pinned: expectFlag('pinned', pinned ?? false),
    archived: expectFlag('archived', archived ?? false),
    properties: { ...others, ...expectMap(properties ?? {}) },
    content: file.slice(match[0].length),
  });
};

/** Writes a note as a file; what the place says already is left out. */
export const formatNoteFile = (text: NoteText, place: FilePlace): string => {
  const own = Object.entries(text.properties);
  const nested = own.filter(([key]) => reserved.has(key));
  const fields = {
    ...(text.title === place.title ? {} : { title: text.title }),
    ...(text.folder === place.folder ? {} : { folder: text.folder }),
    ...(text.tags.length > 0 ? { tags: text.tags } : {}),
    ...(text.pinned ? { pinned: true } : {}),
    ...(text.archived ? { archived: true } : {}),
    ...Object.fromEntries(own.filter(([key]) => !reserved.has(key))),
    ...(nested.length > 0 ? { properties: Object.fromEntries(nested) } : {}),
  };
  const isBare = Object.keys(fields).length === 0;
  if (isBare && !frontMatter.test(text.content)) {
    return text.content;
  }
  return `---\n${isBare ? '' : stringify(fields, { lineWidth: 0 })}---\n${text.content}`;
};

const reserved = new Set(['title', 'folder', 'tags', 'pinned', 'archived', 'properties']);

type Fields = Readonly<Record<string, unknown>>;

/** The keys of the front matter; null when it is no map, but a text between two rules. */
const parseFields = (source: string): Fields | null => {
  const document = parseDocument(source, { uniqueKeys: true });
  const [problem] = document.errors;
  if (problem) {
    // Prose between two rules is no front matter, however it fails to be YAML.
    if (!/^[\w-]+:/m.test(source)) {
      return null;
    }
    throw new UnreadableFileError(`the front matter is no YAML: ${problem.message.split('\n')[0]}`);
  }
  const value = toPlain(document);
  if (value === null) {
    return {};
  }
  return isMap(value) ? value : null;
};

/** Aliases are refused: a few lines of them could stand for gigabytes. */
const toPlain = (document: ReturnType<typeof parseDocument>): unknown => {
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    throw new UnreadableFileError(`the front matter holds what a note cannot: ${String(error)}`);
  }
};

const isMap = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const expectText = (key: string, value: unknown): string => {
  if (typeof value === 'string' || typeof value === 'number') {
    return String(value);
  }
  throw new UnreadableFileError(`${key} must be a text`);
};

const expectFlag = (key: string, value: unknown): boolean => {
  if (typeof value === 'boolean') {
    return value;
  }
  throw new UnreadableFileError(`${key} must be true or false`);
};

const expectTags = (value: unknown): string[] => {
  const list = typeof value === 'string' ? value.split(',') : value;
  if (Array.isArray(list)) {
    return list.map((tag) => expectText('each of the tags', tag));
  }
  throw new UnreadableFileError('tags must be a list');
};

const expectMap = (value: unknown): Fields => {
  if (isMap(value)) {
    return value;
  }
  throw new UnreadableFileError('properties must be a map');
};
