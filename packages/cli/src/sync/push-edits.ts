import type { Edit } from '@commonplace/client';
import { findDeletionDoubt } from './find-deletion-doubt.ts';
import type { Folder, WriteConstraints } from './folder.ts';
import type { SyncSummary } from './sync-summary.ts';
import { hashOfText, writeFolderState, type FileEntry } from './folder-state.ts';
import { assertSameFolder } from './folder-identity.ts';
import { listFiles, type FoundFile } from './list-files.ts';
import { fileOfNote, restoreInterrupted } from './restore-interrupted.ts';
import { replayJournal } from './write-journal.ts';
import { scanFolder, type FindNoteByText, type FileEdit, type FolderScan } from './scan-folder.ts';

/** What happens to the notes of missing files. */
export type DeletionRule = {
  /** If false, the notes stay and their files are restored. */
  readonly mayDelete: boolean;
  /** Allows deleting even when many files are missing at once, as when a disk is not mounted. */
  readonly mayDeleteMany: boolean;
  /** If true, a file is missing only after two scans did not find it: editors move files while saving. */
  readonly isWatching: boolean;
};

/**
 * More missing files than `files`, and than this share of all, need an explicit confirmation. In a small folder that
 * is most of its files: a number alone would let it be emptied.
 */
const manyLimits = [
  { files: 10, share: 0.25 },
  { files: 2, share: 0.5 },
] as const;

/** Too many files are missing to delete their notes without confirmation. */
class MassDeletionError extends Error {
  constructor(gone: number, all: number) {
    super(
      `${gone} of ${all} files are missing. Nothing was deleted, sent or written. To delete their ` +
        'notes, use --delete-many; to restore the files, omit --delete.',
    );
  }
}

/** Stores the edits of the folder in the replica. Nothing is sent yet. */
export const pushEdits = async (
  folder: Folder,
  rule: DeletionRule,
  summary: SyncSummary,
): Promise<WriteConstraints> => {
  const { paths, state, client } = folder;
  const known = state.files.size;
  await assertUnreplaced(folder);
  const aside = await restoreInterrupted(paths, (noteId) => fileOfNote(state.files, noteId));
  // What a synchronisation that failed has written is not the user's either.
  await replayJournal(paths, state);
  const scan = await scanFolder(paths.root, state, createNoteFinder(folder));
  const { edits } = scan;
  const gone = scan.vanished.filter((path) => hasNote(folder, path));
  const kept = await findDoubts(folder, gone, { ...scan, aside });
  // Once more after the scan: a disk may have been unmounted during it.
  await assertUnreplaced(folder);
  const absent = gone.filter((path) => !kept.has(path));
  const vanished = absent.filter((path) => !rule.isWatching || folder.missingBefore.has(path));
  folder.missingBefore = new Set(absent);
  summary.busy += absent.length - vanished.length;
  assertNoMassDeletion(vanished.length, known, rule);
  const problems = [...kept].map(([path, problem]) => ({
    path,
    problem: `not deleted: ${problem}`,
  }));
  summary.problems = [...scan.problems, ...problems];
  summary.missing = rule.mayDelete ? [] : [...vanished];
  const deletions = vanished.flatMap((path) => deletionOf(state.files, path, rule));
  // A new file gets its note's id before the note is created, or a crash in between would create it twice.
  // Its text counts as unread until the replica stores it, or such a crash would lose it.
  edits.forEach(({ path, entry, textHashBefore }) =>
    state.files.set(path, { ...entry, fileHash: null, textHash: textHashBefore }),
  );
  vanished.forEach((path) => state.files.delete(path));
  state.unread = gone.length > 0 ? state.unread : scan.unread;
  await writeFolderState(paths.state, state);
  await client.edit([...edits.map((edit) => editOf(folder, edit)), ...deletions]);
  edits.forEach(({ path, entry }) => state.files.set(path, entry));
  await writeFolderState(paths.state, state);
  countEdits(edits, summary);
  summary.sent.deleted += deletions.length;
  return writeConstraints(folder, scan, { kept, aside });
};

/** Files that an earlier scan did not find are found missing twice only in the same folder. */
const assertUnreplaced = async (folder: Folder): Promise<void> => {
  try {
    await assertSameFolder(folder.paths, folder.identity);
  } catch (error) {
    folder.missingBefore = new Set();
    throw error;
  }
};

const writeConstraints = (
  { state }: Folder,
  scan: FolderScan,
  { kept, aside }: { readonly kept: Doubts; readonly aside: ReadonlySet<string> },
): WriteConstraints => {
  const paths = [...scan.unread.map(({ path }) => path), ...kept.keys()];
  return {
    held: new Set([...aside, ...paths.flatMap((path) => state.files.get(path)?.noteId ?? [])]),
    names: scan.names,
    folders: scan.folders,
  };
};

/**
 * Finds a path that exists now but was not listed. A listing is not atomic: it misses a file that moves
 * from a folder not listed yet to one listed already.
 */
const findArrival = async (root: string, names: readonly string[]): Promise<string | null> => {
  const known = new Set(names);
  const { files, links, unreadable } = await listFiles(root);
  return [...files, ...links, ...unreadable].find(({ path }) => !known.has(path))?.path ?? null;
};

const unreadKey = ({ path, inode, birthtimeMs }: FoundFile): string =>
  `${inode}:${birthtimeMs}:${path}`;

/** Why files that were not found may still exist, by path. */
type Doubts = ReadonlyMap<string, string>;

/**
 * Finds the files that are not proved to be deleted. A link or an unreadable file may be any of them under
 * another name, unless it was there before, while no file was missing.
 */
const findDoubts = async (
  { paths, state }: Folder,
  gone: readonly string[],
  { unread, unreadable, names, aside }: FolderScan & { readonly aside: ReadonlySet<string> },
): Promise<Doubts> => {
  const before = new Set(state.unread.map(unreadKey));
  const suspect =
    unreadable[0] ??
    unread.find((file) => !state.files.has(file.path) && !before.has(unreadKey(file)));
  const doubts = new Map<string, string>();
  for (const path of gone) {
    const doubt =
      (await findDeletionDoubt(paths.root, path, state.files.get(path))) ??
      (aside.has(state.files.get(path)?.noteId ?? '') ? `it is in ${paths.displaced}` : null) ??
      (suspect ? `${suspect.path} is new and unreadable, and may be this file` : null);
    if (doubt !== null) {
      doubts.set(path, doubt);
    }
  }
  const arrival = gone.length > doubts.size ? await findArrival(paths.root, names) : null;
  if (arrival !== null) {
    gone.forEach((path) =>
      doubts.set(path, `${arrival} appeared during the scan, and may be this file`),
    );
  }
  return doubts;
};

/** False for a file that the program removed with its note, if it was killed before it stored that. */
const hasNote = ({ state, client }: Folder, path: string): boolean => {
  const entry = state.files.get(path);
  const isKnown = entry !== undefined && client.find(entry.noteId) !== null;
  if (!isKnown) {
    state.files.delete(path);
  }
  return isKnown;
};

const assertNoMassDeletion = (gone: number, all: number, rule: DeletionRule): void => {
  const isMany = manyLimits.some(({ files, share }) => gone > files && gone > all * share);
  if (rule.mayDelete && !rule.mayDeleteMany && isMany) {
    throw new MassDeletionError(gone, all);
  }
};

const deletionOf = (
  files: ReadonlyMap<string, FileEntry>,
  path: string,
  { mayDelete }: DeletionRule,
): Edit[] => {
  const entry = files.get(path);
  return mayDelete && entry ? [{ id: entry.noteId, text: null, origin: entry.origin }] : [];
};

/**
 * The origin in the state is outdated when a crash came between the server's response and the next write
 * of the state. If the file's previous text equals the note's current one, the note's origin is the base.
 */
const editOf = ({ client }: Folder, { entry, text, textHashBefore }: FileEdit): Edit => {
  const note = client.find(entry.noteId);
  const isCurrent = note !== null && textHashBefore === hashOfText(note.text);
  return { id: entry.noteId, text, origin: isCurrent ? note.origin : entry.origin };
};

const countEdits = (edits: readonly FileEdit[], summary: SyncSummary): void => {
  for (const { kind } of edits) {
    summary.sent.created += kind === 'new' ? 1 : 0;
    summary.sent.changed += kind === 'changed' ? 1 : 0;
    summary.moved += kind === 'moved' ? 1 : 0;
  }
};

/** A folder that lost its state finds the notes of its files by their text. */
const createNoteFinder = ({ client, state }: Folder): FindNoteByText => {
  const claimed = new Set([...state.files.values()].map(({ noteId }) => noteId));
  let unclaimed: Map<string, ReturnType<FindNoteByText>> | null = null;
  return (textHash) => {
    unclaimed ??= new Map(
      client
        .notes()
        .filter(({ id }) => !claimed.has(id))
        .map(({ id, text, origin }) => [hashOfText(text), { noteId: id, origin }]),
    );
    const found = unclaimed.get(textHash) ?? null;
    unclaimed.delete(textHash);
    return found;
  };
};
