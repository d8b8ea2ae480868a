import { noteText, type NoteText } from '@commonplace/client';
import { parseYaml, stringifyYaml } from './exact-yaml.ts';

/*
 * A note as a file: its content, preceded by front matter (YAML between two lines `---`) for what the path
 * of the file does not express. Keys that are not fields of a note are its properties.
 */

/** The fields of a note that the path of its file expresses. */
export type FilePlace = { readonly title: string; readonly folder: string };

/** A file that cannot be read as a note. It is skipped and reported. */
export class UnreadableFileError extends Error {}

const frontMatter = /^---[ \t]*\r?\n([^]*?)\n---[ \t]*(?:\r?\n|$)/;

/** Empty front matter, which marks the following `---` as content; see formatNoteFile. */
const emptyFrontMatter = /^---\r?\n---\r?\n(?=---)/;

/** Parses a file as a note. Throws an UnreadableFileError when its front matter is not valid. */
export const readNoteFile = (file: string, place: FilePlace): NoteText => {
  const empty = emptyFrontMatter.exec(file);
  if (empty) {
    return noteText({ ...place, content: file.slice(empty[0].length) });
  }
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

/**
 * Formats a note as a file, without the fields that its path expresses. Content that looks like front
 * matter is preceded by empty front matter.
 */
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
  const isMistakable = frontMatter.test(text.content) || emptyFrontMatter.test(text.content);
  if (isBare && !isMistakable) {
    return text.content;
  }
  return `---\n${isBare ? '' : stringifyYaml(fields)}---\n${text.content}`;
};

const reserved = new Set(['title', 'folder', 'tags', 'pinned', 'archived', 'properties']);

type Fields = Readonly<Record<string, unknown>>;

/** Returns the keys of the front matter; null when it is text between two rules, and not a map. */
const parseFields = (source: string): Fields | null => {
  const parsed = parseYaml(source);
  if ('problem' in parsed) {
    // Invalid YAML without any key is prose between two rules, not front matter.
    if (parsed.isSyntax && !/^[\w-]+:/m.test(source)) {
      return null;
    }
    throw new UnreadableFileError(parsed.problem);
  }
  if (parsed.value === null) {
    return {};
  }
  return isMap(parsed.value) ? parsed.value : null;
};

const isMap = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const expectText = (key: string, value: unknown): string => {
  if (typeof value === 'string' || typeof value === 'number') {
    return String(value);
  }
  throw new UnreadableFileError(`${key} must be text`);
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
    return list.map((tag) => expectText('every tag', tag));
  }
  throw new UnreadableFileError('tags must be a list');
};

const expectMap = (value: unknown): Fields => {
  if (isMap(value)) {
    return value;
  }
  throw new UnreadableFileError('properties must be a map');
};
