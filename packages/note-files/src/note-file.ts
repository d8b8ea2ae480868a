import { isSameText, noteText, type NoteText } from '@commonplace/client';
import { editFrontMatter } from './edit-front-matter.ts';
import { parseYaml, stringifyYaml } from './exact-yaml.ts';
import { splitFrontMatter, withLineFeeds, type FrontMatter } from './front-matter.ts';
import { interpretFields, isMap, reservedKeys, type Fields } from './interpret-fields.ts';
import { isNameFor, type FilePlace } from './note-path.ts';
import { splitSourceFile, withSourceFile } from './source-file.ts';

/*
 * A note as a file: its content, preceded by front matter (YAML between two lines `---`) for what the path
 * of the file does not express. Keys that are not fields of a note are its properties.
 *
 * Front matter that is not written as we would write it is stored with the note as it is. So it comes back with the
 * same bytes, on every machine: comments, order and quotes of keys, line breaks, and what only an editor understands.
 */

/** Parses a file as a note. Text that only looks like front matter is content. */
export const readNoteFile = (file: string, place: FilePlace): NoteText => {
  const { text, block } = readFile(file, place);
  const isOwnForm = block === '' || generate(text, place) === file;
  return withSourceFile(text, {
    ...(isNameFor(place.title, text.title) ? {} : { name: place.title }),
    ...(isOwnForm ? {} : { frontMatter: block }),
  });
};

/** Returns a file as a note that is nothing but content. */
export const readPlainText = (file: string, place: FilePlace): NoteText =>
  noteText({ ...place, content: file });

type ReadFile = { readonly text: NoteText; readonly block: string };

const readFile = (file: string, place: FilePlace): ReadFile => {
  const front = splitFrontMatter(file);
  const fields = front && parseFields(front);
  return front && fields
    ? {
        text: interpretFields(fields, file.slice(front.block.length), place),
        block: front.block,
      }
    : { text: readPlainText(file, place), block: '' };
};

/**
 * Returns the keys of the front matter; null when it is text between two rules, and not a map. Comments alone are such
 * text, because headings look like them, and so is a map with text behind its end.
 */
const parseFields = ({ yaml }: FrontMatter): Fields | null => {
  if (yaml.trim() === '') {
    return {};
  }
  const parsed = parseYaml(withLineFeeds(yaml));
  return parsed && !parsed.hasMore && isMap(parsed.value) ? parsed.value : null;
};

/** Whether earlier releases took such text for front matter, and did not store it in the content. */
const hasStoredText = ({ yaml }: FrontMatter): boolean => {
  const parsed = parseYaml(withLineFeeds(yaml));
  return parsed !== null && (parsed.value === null || (parsed.hasMore && isMap(parsed.value)));
};

/**
 * Formats a note as a file. Stored front matter stays as it is, but for keys of fields that have changed since. Without
 * it the file has what its path does not express.
 */
export const formatNoteFile = (text: NoteText, place: FilePlace): string => {
  const { plain, source } = splitSourceFile(text);
  return (
    (source.frontMatter === undefined ? null : keepFrontMatter(source.frontMatter, plain, place)) ??
    generate(plain, place)
  );
};

/** Null when no edit of the front matter expresses the note, as when it is not from a file at all. */
const keepFrontMatter = (block: string, plain: NoteText, place: FilePlace): string | null => {
  const isRight = (candidate: string): boolean =>
    isSameText(readFile(`${candidate}${plain.content}`, place).text, plain);
  if (isRight(block)) {
    return `${block}${plain.content}`;
  }
  const front = splitFrontMatter(block);
  const { text: now, block: understood } = readFile(block, place);
  if (front?.block !== block) {
    return null;
  }
  if (understood === '') {
    return hasStoredText(front)
      ? generate({ ...plain, content: `${block}${plain.content}` }, place)
      : null;
  }
  const edited = editFrontMatter(front, { now, wanted: plain }).find(isRight);
  return edited === undefined ? null : `${edited}${plain.content}`;
};

/** Content that looks like front matter is preceded by empty front matter. */
const generate = (text: NoteText, place: FilePlace): string => {
  const own = Object.entries(text.properties);
  const nested = own.filter(([key]) => reservedKeys.has(key));
  const fields = {
    ...(text.title === place.title ? {} : { title: text.title }),
    ...(text.folder === place.folder ? {} : { folder: text.folder }),
    ...(text.tags.length > 0 ? { tags: text.tags } : {}),
    ...(text.pinned ? { pinned: true } : {}),
    ...(text.archived ? { archived: true } : {}),
    ...Object.fromEntries(own.filter(([key]) => !reservedKeys.has(key))),
    ...(nested.length > 0 ? { properties: Object.fromEntries(nested) } : {}),
  };
  const isBare = Object.keys(fields).length === 0;
  if (isBare && readFile(text.content, place).block === '') {
    return text.content;
  }
  return `---\n${isBare ? '' : stringifyYaml(fields)}---\n${text.content}`;
};
