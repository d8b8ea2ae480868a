import type { NoteText } from '@commonplace/client';
import { safeSegment } from './safe-segment.ts';
import { fileNameOf, splitSourceFile } from './source-file.ts';

/** The fields of a note that the path of its file expresses. */
export type FilePlace = { readonly title: string; readonly folder: string };

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
  const stem = [...folder, fileNameOf(note.text)].join('/');
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
const saysAll = (current: string, text: NoteText): boolean => {
  const place = placeOf(current);
  const name = splitSourceFile(text).source.name ?? text.title;
  return place.title === name && place.folder === text.folder;
};

/** Whether a file with this name needs no other one for the title; it may have a suffix. */
export const isNameFor = (name: string, title: string): boolean =>
  name === title || fits(`${name}.md`, safeSegment(title));
