import type { NoteText } from '@commonplace/client';
import type { FilePlace } from './note-file.ts';

/** Below the limit of all file systems, with room for a suffix. */
const segmentBytesMax = 180;

/** Names that Windows reserves for devices, whatever follows their first dot. */
const device = /^(con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?=\.|$)/i;

/** Converts text to a file or folder name that is not hidden and valid on every system. */
export const safeSegment = (text: string): string => {
  const plain = text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\u0000-\u001f\u007f<>:"/\\|?*]/g, '-');
  // Truncate before fixing the ends, and trim before replacing dots: a name that starts with a blank and a
  // dot must not become hidden.
  const name = cutBytes(plain.trim())
    .replace(/[.\s]+$/u, '')
    .replace(/^\.+/, (dots) => '_'.repeat(dots.length))
    .replace(device, '$1_');
  return name === '' ? 'Untitled' : name;
};

const encoder = new TextEncoder();

const cutBytes = (text: string): string => {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += encoder.encode(character).length;
    if (bytes > segmentBytesMax) {
      break;
    }
    end += character.length;
  }
  return text.slice(0, end);
};

/** A folder name that ends in `.md` would conflict with the file of a note. */
const safeFolder = (text: string): string => safeSegment(text).replace(/\.md$/i, '$&_');

/** Returns the title and folder for a path: `projects/Plan.md` is "Plan" in the folder `projects`. */
export const placeOf = (path: string): FilePlace => {
  const segments = path.normalize('NFC').split('/');
  const name = segments.pop() ?? '';
  return { title: name.replace(/\.md$/i, ''), folder: segments.join('/') };
};

/** The fields that determine the path of a note. */
export type PathedNote = {
  readonly text: NoteText;
  readonly conflictOf: string | null;
};

/**
 * Folds a path, so that two paths which any file system considers equal become equal. Upper case comes
 * first, because it unifies letters such as the two forms of a lower-case sigma.
 */
export const foldPath = (path: string): string =>
  path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');

/** The paths in use. */
export type TakenPaths = {
  /** Whether a path, or one that folds to the same, is in use. */
  readonly has: (path: string) => boolean;
  /**
   * By folded name without suffix: a number, from 2, below which all are taken. Without it, many notes of one
   * title would each look up the numbers of all before. Must be emptied when a path is free again.
   */
  readonly nextNumbers: Map<string, number>;
};

/**
 * Returns the path for a note: its folder and title as safe names. A note keeps a current path that fits;
 * otherwise it gets the first free one, with a suffix from `(2)`.
 */
export const pathFor = (note: PathedNote, current: string | null, taken: TakenPaths): string => {
  const folder = note.text.folder.split('/').filter(Boolean).map(safeFolder);
  const day = new Date().toISOString().slice(0, 10);
  const title = safeSegment(note.text.title);
  const stem = [...folder, title].join('/');
  if (current !== null && (fits(current, stem) || saysAll(current, note.text))) {
    return current;
  }
  const wanted = note.conflictOf === null ? stem : `${stem} (conflict ${day})`;
  const isFree = (path: string): boolean => path === current || !taken.has(path);
  if (isFree(`${wanted}.md`)) {
    return `${wanted}.md`;
  }
  const name = foldPath(wanted);
  let number = taken.nextNumbers.get(name) ?? 2;
  while (!isFree(`${wanted} (${number}).md`)) {
    number += 1;
  }
  taken.nextNumbers.set(name, number);
  return `${wanted} (${number}).md`;
};

const suffix = /^(?: \(conflict \d{4}-\d\d-\d\d\))?(?: \(\d+\))?\.md$/i;

/** A difference in case alone fits: on a case-insensitive disk the old name would block the new one. */
const fits = (current: string, stem: string): boolean =>
  foldPath(current).startsWith(foldPath(stem)) &&
  suffix.test(foldPath(current).slice(foldPath(stem).length));

/** Whether a file name chosen by the user already expresses title and folder. */
const saysAll = (current: string, { title, folder }: NoteText): boolean => {
  const place = placeOf(current);
  return place.title === title && place.folder === folder;
};
