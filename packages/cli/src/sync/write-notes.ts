import type { SyncEvent, SyncReport } from '@commonplace/client';
import {
  createFolderCaseMatcher,
  createTakenPaths,
  formatNoteFile,
  pathFor,
  placeOf,
  type FolderCaseMatcher,
  type MutableTakenPaths,
} from '@commonplace/note-files';
import type { FileStats } from './file-stats.ts';
import { findOnlyCopies } from './find-only-copies.ts';
import type { Folder, WriteConstraints } from './folder.ts';
import type { SyncSummary } from './sync-summary.ts';
import { hashOf, hashOfText, type FileEntry } from './folder-state.ts';
import { describeFileError } from './list-files.ts';
import { putAside } from './put-aside.ts';
import { replaceFile, writtenFile } from './replace-file.ts';
import { saveJournal, type JournalEntry } from './write-journal.ts';

/** The context of writing notes to a folder. */
type WriteContext = Folder & {
  readonly summary: SyncSummary;
  readonly heldIds: ReadonlySet<string>;
  readonly withdrawnIds: ReadonlySet<string>;
  /** Paths by note id. */
  readonly pathOf: Map<string, string>;
  /** The paths of files and notes, and names that cannot be used. */
  readonly taken: MutableTakenPaths;
  readonly matchFolderCase: FolderCaseMatcher;
};

/**
 * Updates the files of changed notes. Files that were changed meanwhile, or that cannot be written, are
 * left for the next synchronisation. Returns the ids of their notes.
 */
export const writeNotes = async (
  folder: Folder,
  ids: ReadonlySet<string>,
  { report, summary, constraints }: WriteInput,
): Promise<Set<string>> => {
  const { files } = folder.state;
  const context: WriteContext = {
    ...folder,
    summary,
    heldIds: constraints.held,
    withdrawnIds: new Set(folder.client.withdrawnIds()),
    pathOf: new Map([...files].map(([path, { noteId }]) => [noteId, path])),
    taken: createTakenPaths([...files.keys(), ...constraints.names]),
    // Only existing folders: the name of a deleted one may be in use with another case. The trailing slash
    // includes empty folders.
    matchFolderCase: createFolderCaseMatcher(constraints.folders.map((folder) => `${folder}/`)),
  };
  const events = new Map(report.events.map((event) => [event.id, event]));
  events.forEach((event) => updateOrigin(context, event));
  const onlyCopies = findOnlyCopies(folder, ids, context.pathOf);
  const places = [...ids].map((id) => placeNote(context, id));
  await saveJournal(
    folder.paths,
    places.flatMap((place) => journalEntry(context, place)),
  );
  const retryIds = new Set<string>();
  const write = async (place: Place): Promise<void> => {
    const onlyCopy = onlyCopies.get(place.id);
    // If the conflict copy cannot be written, as behind a link, the file stays and becomes the copy's.
    const isKept = onlyCopy !== undefined && retryIds.has(onlyCopy);
    if (isKept || !(await tryToWrite(context, place))) {
      retryIds.add(place.id);
      reassignToCopy(context, place.id, isKept ? onlyCopy : events.get(place.id)?.conflictNoteId);
    }
  };
  const copies = new Set(onlyCopies.values());
  await forEachConcurrently(
    places.filter(({ id }) => copies.has(id)),
    write,
  );
  await forEachConcurrently(
    places.filter(({ id }) => !copies.has(id)),
    write,
  );
  return retryIds;
};

/** The results of the scan and the synchronisation. */
type WriteInput = {
  readonly report: SyncReport;
  readonly summary: SyncSummary;
  readonly constraints: WriteConstraints;
};

/** Reports an error of one file, so that it does not affect the others. */
const tryToWrite = async (context: WriteContext, place: Place): Promise<boolean> => {
  const { heldIds, summary } = context;
  if (heldIds.has(place.id)) {
    return false;
  }
  try {
    return await writeNote(context, place);
  } catch (error) {
    const problem = describeFileError(error);
    summary.problems.push({ path: place.path ?? place.current ?? place.id, problem });
    return false;
  }
};

/** The current and the wanted path of a note's file; null for none. */
type Place = { readonly id: string; readonly current: string | null; readonly path: string | null };

const placeNote = (
  { client, pathOf, taken, heldIds, matchFolderCase }: WriteContext,
  id: string,
): Place => {
  const note = client.find(id);
  const current = pathOf.get(id) ?? null;
  if (heldIds.has(id)) {
    return { id, current, path: current };
  }
  const wanted = note && pathFor(note, current, taken);
  const path = wanted === null || wanted === current ? wanted : matchFolderCase(wanted);
  if (path !== null) {
    taken.add(path);
  }
  return { id, current, path };
};

const journalEntry = (
  { client, state, heldIds }: WriteContext,
  { id, current, path }: Place,
): JournalEntry[] => {
  const note = client.find(id);
  if (!note || path === null || heldIds.has(id)) {
    return [];
  }
  const { text, origin } = note;
  const textHash = hashOfText(text);
  if (path === current && state.files.get(path)?.textHash === textHash) {
    return [];
  }
  const fileHash = hashOf(formatNoteFile(text, placeOf(path)));
  return [{ noteId: id, path, from: current, origin, fileHash, textHash }];
};

/** A file that stays as it is contains the text that was sent, so its edits start from that result. */
const updateOrigin = ({ state, pathOf }: WriteContext, { id, origin }: SyncEvent): void => {
  const path = pathOf.get(id);
  const entry = path === undefined ? undefined : state.files.get(path);
  if (path !== undefined && entry) {
    state.files.set(path, { ...entry, origin });
  }
};

/** Assigns a note's file to its conflict copy, together with edits made after the conflict. */
const reassignToCopy = (
  { state, pathOf }: WriteContext,
  id: string,
  copyId: string | null | undefined,
): void => {
  const path = pathOf.get(id);
  const entry = path === undefined ? undefined : state.files.get(path);
  if (copyId && path !== undefined && entry) {
    state.files.set(path, { ...entry, noteId: copyId, origin: { revision: 1 } });
    pathOf.delete(id);
    pathOf.set(copyId, path);
  }
};

/** Returns false when the file was changed meanwhile. */
const writeNote = async (context: WriteContext, { id, current, path }: Place): Promise<boolean> => {
  const { client, state, summary } = context;
  const note = client.find(id);
  const entry = current === null ? undefined : state.files.get(current);
  if (!note || path === null) {
    return current === null || !entry ? true : removeOrPutAside(context, current, entry);
  }
  const textHash = hashOfText(note.text);
  if (entry && path === current && entry.textHash === textHash) {
    state.files.set(path, { ...entry, origin: note.isPending ? entry.origin : note.origin });
    return true;
  }
  const content = formatNoteFile(note.text, placeOf(path));
  const isMove = current !== null && path !== current;
  const expectedHash = isMove ? null : (entry?.fileHash ?? null);
  const modeFrom = isMove ? current : null;
  if (!(await replaceFile(context.paths, { noteId: id, path, content, expectedHash, modeFrom }))) {
    summary.busy += 1;
    // Another file has the path. The next scan creates a note for it, and this note gets another name.
    return false;
  }
  if (isMove && entry && !(await removeFile(context, current, entry))) {
    // Edited under its old name during the move: it stays there until the edit is read.
    const expected = hashOf(content);
    await replaceFile(context.paths, { noteId: id, path, content: null, expectedHash: expected });
    return false;
  }
  const stats = await writtenFile(context.paths, id);
  recordFile(context, path, { noteId: id, origin: note.origin, textHash, content, stats });
  summary.received[current === null ? 'created' : 'changed'] += 1;
  return true;
};

/** The file of a note that is hidden, not deleted, is put aside: its text may be nowhere else that the user can read. */
const removeOrPutAside = async (
  context: WriteContext,
  path: string,
  entry: FileEntry,
): Promise<boolean> => {
  if (!context.withdrawnIds.has(entry.noteId)) {
    return removeFile(context, path, entry);
  }
  await putAside(context.paths, path, entry.fileHash);
  const { received } = context.summary;
  const before = received.deleted;
  const isGone = await removeFile(context, path, entry);
  if (isGone) {
    received.deleted = before;
    context.summary.withdrawn.push(path);
  }
  return isGone;
};

const removeFile = async (
  context: WriteContext,
  path: string,
  entry: FileEntry,
): Promise<boolean> => {
  const { noteId, fileHash } = entry;
  const isGone = await replaceFile(context.paths, {
    noteId,
    path,
    content: null,
    expectedHash: fileHash,
  });
  if (!isGone) {
    context.summary.busy += 1;
    return false;
  }
  context.state.files.delete(path);
  context.taken.delete(path);
  if (!context.client.find(noteId)) {
    context.pathOf.delete(noteId);
    context.summary.received.deleted += 1;
  }
  return true;
};

type RecordedFile = Pick<FileEntry, 'noteId' | 'origin' | 'textHash'> & {
  readonly content: string;
  readonly stats: FileStats;
};

const recordFile = (
  { state, pathOf, taken }: WriteContext,
  path: string,
  { content, stats, ...written }: RecordedFile,
): void => {
  state.files.set(path, { ...written, fileHash: hashOf(content), ...stats });
  pathOf.set(written.noteId, path);
  taken.add(path);
};

/** How many files are written at the same time. Each waits for the disk most of the time. */
const writersMax = 8;

/** Calls an operation for each item, several at a time, in the order of the items. Nothing of it goes on after a failure. */
const forEachConcurrently = async <Item>(
  items: Iterable<Item>,
  operation: (item: Item) => Promise<void>,
): Promise<void> => {
  const queue = items[Symbol.iterator]();
  const runWorker = async (): Promise<void> => {
    for (let next = queue.next(); !next.done; next = queue.next()) {
      await operation(next.value);
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: writersMax }, runWorker));
  const failure = ends.find((end) => end.status === 'rejected');
  if (failure) {
    throw failure.reason;
  }
};
