import { mkdir, open, readFile, rename, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  isForgotten,
  type LocalNote,
  type SyncProgress,
  type SyncState,
  type SyncStore,
  type SyncWrite,
} from '@commonplace/client';
import { codeOf } from '../describe-error.ts';

/** A journal that has grown to this many times its living notes is written anew at the next start. */
const slackMax = 4;

/** A store that can be closed. */
export type FileStore = SyncStore & { readonly close: () => Promise<void> };

/**
 * A store in one file: a journal with one line of JSON for each write, which is on the disk before
 * `save` resolves. A last line that a crash cut off was never acknowledged, and is dropped.
 */
export const openFileStore = async (path: string): Promise<FileStore> => {
  await mkdir(dirname(path), { recursive: true });
  const { state, lines, wholeBytes } = await readJournal(path);
  if (state && lines > slackMax + state.notes.length * slackMax) {
    await rewrite(path, state);
  }
  const journal = await open(path, 'a');
  if (wholeBytes !== null) {
    await journal.truncate(wholeBytes);
  }
  return {
    load: async () => state,
    save: (write) => append(journal, write),
    close: () => journal.close(),
  };
};

const append = async (journal: FileHandle, write: SyncWrite): Promise<void> => {
  await journal.appendFile(`${JSON.stringify(write)}\n`);
  await journal.datasync();
};

type Journal = {
  readonly state: SyncState | null;
  readonly lines: number;
  /** Where the last whole line ends, when something follows it. */
  readonly wholeBytes: number | null;
};

const readJournal = async (path: string): Promise<Journal> => {
  const bytes = await readFile(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') {
      return Buffer.alloc(0);
    }
    throw error;
  });
  const end = bytes.lastIndexOf('\n') + 1;
  const lines = bytes.toString('utf8', 0, end).split('\n').filter(Boolean);
  const notes = new Map<string, LocalNote>();
  let progress: SyncProgress | null = null;
  for (const line of lines) {
    const write = JSON.parse(line) as SyncWrite;
    progress = write.progress ?? progress;
    for (const note of write.notes) {
      if (isForgotten(note)) {
        notes.delete(note.id);
      } else {
        notes.set(note.id, note);
      }
    }
  }
  return {
    state: progress && { progress, notes: [...notes.values()] },
    lines: lines.length,
    wholeBytes: end < bytes.length ? end : null,
  };
};

/** Writes the state as a journal of one line, which takes the place of the old one as a whole. */
const rewrite = async (path: string, state: SyncState): Promise<void> => {
  const file = await open(`${path}.new`, 'w', 0o600);
  await append(file, state);
  await file.close();
  await rename(`${path}.new`, path);
};
