import { isUtf8 } from 'node:buffer';
import type { NoteText } from '@commonplace/client';
import { noteInput } from '@commonplace/contracts';
import { placeOf, readNoteFile, UnreadableFileError } from '@commonplace/note-files';
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
  try {
    const text = readNoteFile(bytes.toString('utf8'), placeOf(file.path));
    const checked = noteInput.safeParse(text);
    return checked.success
      ? { file, text, fileHash: hashOf(bytes), textHash: hashOfText(text) }
      : { file, problem: describeIssue(checked.error.issues[0]) };
  } catch (error) {
    if (error instanceof UnreadableFileError) {
      return { file, problem: error.message };
    }
    throw error;
  }
};

type Issue = { readonly path: readonly PropertyKey[]; readonly message: string };

const describeIssue = (issue: Issue | undefined): string =>
  `${issue?.path.map(String).join('.') || 'the note'} ${issue?.message ?? 'is not valid'}`;
