import { isUtf8 } from 'node:buffer';
import type { NoteText } from '@commonplace/client';
import { noteInput } from '@commonplace/contracts';
import { placeOf, readNoteFile, readPlainText } from '@commonplace/note-files';
import { hashOf, hashOfText } from './folder-state.ts';
import { withFolderOf } from './folder-handle.ts';
import { describeFileError, type FoundFile } from './list-files.ts';
import { readPlainFile } from './read-plain-file.ts';

/** A file parsed as a note. */
export type NoteReading = {
  readonly file: FoundFile;
  readonly text: NoteText;
  readonly fileHash: string;
  readonly textHash: string;
};

type Unread = { readonly file: FoundFile; readonly problem: string };

/** Reads and parses a listed file; null when it was removed meanwhile. */
export const readNote = async (
  root: string,
  found: FoundFile,
): Promise<NoteReading | Unread | null> => {
  const { path } = found;
  try {
    const read = await withFolderOf(root, path, readPlainFile);
    const { isOnOtherDevice } = found;
    return (
      read &&
      parseNote({ path, ...read.stats, ...(isOnOtherDevice && { isOnOtherDevice }) }, read.bytes)
    );
  } catch (error) {
    return { file: found, problem: describeFileError(error) };
  }
};

const parseNote = (file: FoundFile, bytes: Buffer): NoteReading | Unread => {
  if (!isUtf8(bytes)) {
    return { file, problem: 'it is not UTF-8' };
  }
  const content = bytes.toString('utf8');
  const place = placeOf(file.path);
  const [text, issue] = firstValid([
    () => readNoteFile(content, place),
    // Front matter beyond the limits of properties is text like any other.
    () => readPlainText(content, place),
  ]);
  return issue === null
    ? { file, text, fileHash: hashOf(bytes), textHash: hashOfText(text) }
    : { file, problem: describeIssue(issue) };
};

/** Returns the first reading that a note can store, or the issue of the first one. */
const firstValid = ([read, readOtherwise]: readonly [() => NoteText, () => NoteText]): readonly [
  NoteText,
  Issue | null,
] => {
  const text = read();
  const issue = issueOf(text);
  if (issue?.path[0] !== 'properties') {
    return [text, issue];
  }
  const plain = readOtherwise();
  return issueOf(plain) === null ? [plain, null] : [text, issue];
};

const issueOf = (text: NoteText): Issue | null =>
  noteInput.safeParse(text).error?.issues[0] ?? null;

type Issue = { readonly path: readonly PropertyKey[]; readonly message: string };

const describeIssue = ({ path, message }: Issue): string =>
  `${path.map(String).join('.') || 'the note'} ${message}`;
