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

/** A journal is written anew when it is so many times as long as what it says, and this much longer. */
const slack = { times: 4, bytes: 8 * 1024 * 1024 };

/** A store that can be closed. */
export type FileStore = SyncStore & { readonly close: () => Promise<void> };

/**
 * A store in one file: a journal with one line of JSON for each write, which is on the disk before
 * `save` resolves. A last line that a crash cut off was never acknowledged, and is dropped.
 */
export const openFileStore = async (path: string): Promise<FileStore> => {
  await mkdir(dirname(path), { recursive: true });
  const { state, wholeBytes } = await readJournal(path);
  const notes = new Map((state?.notes ?? []).map((note) => [note.id, note]));
  let progress = state?.progress ?? null;
  let journal = await open(path, 'a');
  await journal.truncate(wholeBytes);
  let bytes = wholeBytes;
  // Not known before it was written once: the first look decides.
  let compactBytes = 0;

  const compact = async (): Promise<void> => {
    if (!progress) {
      return;
    }
    compactBytes = await rewrite(path, { progress, notes: [...notes.values()] });
    bytes = compactBytes;
    await journal.close();
    journal = await open(path, 'a');
  };
  return {
    load: async () => state,
    save: async (write) => {
      bytes += await appendWhole(journal, write, bytes);
      progress = write.progress ?? progress;
      write.notes.forEach((note) => keep(notes, note));
      if (bytes > compactBytes * slack.times + slack.bytes) {
        await compact();
      }
    },
    close: () => journal.close(),
  };
};

const keep = (notes: Map<string, LocalNote>, note: LocalNote): void => {
  if (isForgotten(note)) {
    notes.delete(note.id);
  } else {
    notes.set(note.id, note);
  }
};

/** Half a line, as a full disk leaves it, must not stay in front of the next one. */
const appendWhole = async (
  journal: FileHandle,
  write: SyncWrite,
  from: number,
): Promise<number> => {
  try {
    return await append(journal, write);
  } catch (error) {
    await journal.truncate(from);
    throw error;
  }
};

/** Gives the bytes that were written. */
const append = async (journal: FileHandle, write: SyncWrite): Promise<number> => {
  const line = Buffer.from(`${JSON.stringify(write)}\n`);
  await journal.appendFile(line);
  await journal.datasync();
  return line.length;
};

type Journal = {
  readonly state: SyncState | null;
  /** Where the last whole line ends. */
  readonly wholeBytes: number;
};

const readJournal = async (path: string): Promise<Journal> => {
  const bytes = await readFile(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') {
      return Buffer.alloc(0);
    }
    throw error;
  });
  const wholeBytes = bytes.lastIndexOf('\n') + 1;
  const notes = new Map<string, LocalNote>();
  let progress: SyncProgress | null = null;
  for (const line of bytes.toString('utf8', 0, wholeBytes).split('\n').filter(Boolean)) {
    const write = JSON.parse(line) as SyncWrite;
    progress = write.progress ?? progress;
    write.notes.forEach((note) => keep(notes, note));
  }
  return { state: progress && { progress, notes: [...notes.values()] }, wholeBytes };
};

/** Writes the state as a journal of one line, which takes the place of the old one as a whole. */
const rewrite = async (path: string, state: SyncState): Promise<number> => {
  const file = await open(`${path}.new`, 'w', 0o600);
  try {
    const bytes = await append(file, state);
    await rename(`${path}.new`, path);
    return bytes;
  } finally {
    await file.close();
  }
};
