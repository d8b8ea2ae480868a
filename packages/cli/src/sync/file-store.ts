import { chmod, mkdir, open, rename, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  isDiscardable,
  type LocalNote,
  type SyncProgress,
  type SyncState,
  type SyncStore,
  type SyncWrite,
} from '@commonplace/client';
import { CorruptStateError } from './corrupt-state.ts';
import { linesOf, readRecords } from './journal-records.ts';

/** A journal is compacted when it exceeds its content by this factor plus this many bytes. */
const compaction = { times: 4, bytes: 8 * 1024 * 1024 };

/** The journal has the text of all notes. */
const ownerOnly = 0o600;

/** A store that can be closed. */
export type FileStore = SyncStore & { readonly close: () => Promise<void> };

/**
 * Opens a store in one file: a journal with a record for each write, synced to disk before `save`
 * resolves. A last record truncated by a crash was never acknowledged, and is dropped. A journal may be
 * larger than the largest string or buffer, so it is read and written in chunks.
 */
export const openFileStore = async (path: string): Promise<FileStore> => {
  await mkdir(dirname(path), { recursive: true });
  const notes = new Map<string, LocalNote>();
  let journal = await open(path, 'a+', ownerOnly);
  // One of an earlier version may be readable by others.
  await chmod(path, ownerOnly);
  const { progress: stored, wholeBytes } = await readJournal(journal, notes).catch(
    async (error: unknown) => {
      await journal.close();
      throw error instanceof SyntaxError ? new CorruptStateError(path, error) : error;
    },
  );
  await journal.truncate(wholeBytes);
  let progress = stored;
  let bytes = wholeBytes;
  // Unknown until the first compaction.
  let compactBytes = 0;

  const compact = async (): Promise<void> => {
    if (!progress) {
      return;
    }
    compactBytes = await rewrite(path, { progress, notes: [...notes.values()] });
    bytes = compactBytes;
    await journal.close();
    journal = await open(path, 'a+', ownerOnly);
  };
  return {
    load: async () => progress && { progress, notes: [...notes.values()] },
    save: async (write) => {
      bytes += await appendOrRollBack(journal, write, bytes);
      progress = write.progress ?? progress;
      write.notes.forEach((note) => applyNote(notes, note));
      if (bytes > compactBytes * compaction.times + compaction.bytes) {
        await compact();
      }
    },
    close: () => journal.close(),
  };
};

const applyNote = (notes: Map<string, LocalNote>, note: LocalNote): void => {
  if (isDiscardable(note)) {
    notes.delete(note.id);
  } else {
    notes.set(note.id, note);
  }
};

/** Removes a partial record, as a full disk leaves it, so that the next one follows a complete record. */
const appendOrRollBack = async (
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

/** Returns the number of bytes written. */
const append = async (journal: FileHandle, write: SyncWrite): Promise<number> => {
  let bytes = 0;
  for (const line of linesOf(write)) {
    await journal.appendFile(line);
    bytes += line.length;
  }
  await journal.datasync();
  return bytes;
};

type Journal = {
  readonly progress: SyncProgress | null;
  /** The end of the last complete record. */
  readonly wholeBytes: number;
};

const readJournal = async (file: FileHandle, notes: Map<string, LocalNote>): Promise<Journal> => {
  let progress: SyncProgress | null = null;
  let wholeBytes = 0;
  for await (const record of readRecords(file)) {
    for (const write of record.writes) {
      progress = write.progress ?? progress;
      write.notes.forEach((note) => applyNote(notes, note));
    }
    wholeBytes = record.end;
  }
  return { progress, wholeBytes };
};

/** Writes the state as a journal with one record, which replaces the old journal atomically. */
const rewrite = async (path: string, state: SyncState): Promise<number> => {
  const file = await open(`${path}.new`, 'w', ownerOnly);
  try {
    const bytes = await append(file, state);
    await rename(`${path}.new`, path);
    return bytes;
  } finally {
    await file.close();
  }
};
