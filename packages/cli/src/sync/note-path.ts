import type { NoteText } from '@commonplace/client';
import type { FilePlace } from './note-file.ts';

/** Below what every file system takes, with room for a suffix. */
const segmentBytesMax = 180;

/** Names that Windows keeps for devices, whatever follows their first dot. */
const device = /^(con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?=\.|$)/i;

/** A text as the name of a file or folder: nothing hidden, nothing any system refuses. */
export const safeSegment = (text: string): string => {
  const plain = text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\u0000-\u001f\u007f<>:"/\\|?*]/g, '-');
  // Cutting comes before the ends are made safe, and blanks go before dots: a name that begins with a
  // blank and a dot must not be hidden without the blank.
  const name = cutBytes(plain.trim())
    .replace(/[.\s]+$/u, '')
    .replace(/^\.+/, (dots) => '_'.repeat(dots.length))
    .replace(device, '$1_');
  return name === '' ? 'Untitled' : name;
};

const cutBytes = (text: string): string => {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > segmentBytesMax) {
      break;
    }
    end += character.length;
  }
  return text.slice(0, end);
};

/** A folder whose name ends like a file's would be in the way of a note of that name. */
const safeFolder = (text: string): string => safeSegment(text).replace(/\.md$/i, '$&_');

/** What the path of a file says of its note: `projects/Plan.md` is "Plan" in the folder `projects`. */
export const placeOf = (path: string): FilePlace => {
  const segments = path.normalize('NFC').split('/');
  const name = segments.pop() ?? '';
  return { title: name.replace(/\.md$/i, ''), folder: segments.join('/') };
};

/** What decides the path of a note. */
export type PathedNote = {
  readonly text: NoteText;
  readonly conflictOf: string | null;
};

/**
 * Two paths that one file system or another takes for the same. By way of capitals, which join what
 * small letters alone tell apart, such as the two forms of a small sigma.
 */
export const foldPath = (path: string): string =>
  path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');

/**
 * The path of a note: its folder and title made safe. A note that has a fitting one keeps it; else
 * the first that is free, counted on from `(2)`.
 */
export const pathFor = (
  note: PathedNote,
  current: string | null,
  isTaken: (path: string) => boolean,
): string => {
  const folder = note.text.folder.split('/').filter(Boolean).map(safeFolder);
  const day = new Date().toISOString().slice(0, 10);
  const title = safeSegment(note.text.title);
  const stem = [...folder, title].join('/');
  if (current !== null && (fits(current, stem) || saysAll(current, note.text))) {
    return current;
  }
  const wanted = note.conflictOf === null ? stem : `${stem} (conflict ${day})`;
  for (let count = 1; ; count += 1) {
    const path = count === 1 ? `${wanted}.md` : `${wanted} (${count}).md`;
    if (path === current || !isTaken(foldPath(path))) {
      return path;
    }
  }
};

const suffix = /^(?: \(conflict \d{4}-\d\d-\d\d\))?(?: \(\d+\))?\.md$/i;

/** Case alone is no reason for another name: where it means nothing, the old one would be in the way. */
const fits = (current: string, stem: string): boolean =>
  foldPath(current).startsWith(foldPath(stem)) &&
  suffix.test(foldPath(current).slice(foldPath(stem).length));

/** What the user called a file stays as it is, if it says title and folder. */
const saysAll = (current: string, { title, folder }: NoteText): boolean => {
  const place = placeOf(current);
  return place.title === title && place.folder === folder;
};
