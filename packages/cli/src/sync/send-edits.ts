import type { Edit } from '@commonplace/client';
import { findDoubt } from './find-doubt.ts';
import type { Folder, FolderLook, Tally } from './folder.ts';
import { hashOfText, writeFolderState, type FileEntry } from './folder-state.ts';
import { listFiles, type FoundFile } from './list-files.ts';
import { fileOfNote, putBack } from './put-back.ts';
import { readEdits, type Adopt, type FileEdit, type FolderReading } from './read-edits.ts';

/** What becomes of the notes of files that are gone. */
export type DeletionRule = {
  /** Without it, the notes stay and the files come back. */
  readonly mayDelete: boolean;
  /** Even when many are gone at once, as when a disk is not mounted. */
  readonly mayDeleteMany: boolean;
  /** Files count as gone when two looks missed them: editors move files about while they save. */
  readonly isPatient: boolean;
};

/** More files than this, and more than a quarter of all, are a mishap until somebody says otherwise. */
const manyFiles = 10;
const manyShare = 0.25;

/** So many files are gone at once that deleting their notes has to be asked for. */
class MassDeletionError extends Error {
  constructor(gone: number, all: number) {
    super(
      `${gone} of ${all} files are gone. Nothing was deleted, sent or written: if their notes shall ` +
        'go too, say --delete-many; to get the files back, leave --delete out.',
    );
  }
}

/** Takes what was done to the files into the replica. Nothing is sent yet. */
export const sendEdits = async (
  folder: Folder,
  rule: DeletionRule,
  tally: Tally,
): Promise<FolderLook> => {
  const { paths, state, client } = folder;
  const known = state.files.size;
  const aside = await putBack(paths, (noteId) => fileOfNote(state.files, noteId));
  const reading = await readEdits(paths.root, state, adoptFrom(folder));
  const { edits } = reading;
  const gone = reading.vanished.filter((path) => hasNote(folder, path));
  const kept = await holdBack(folder, gone, { ...reading, aside });
  const absent = gone.filter((path) => !kept.has(path));
  const vanished = absent.filter((path) => !rule.isPatient || folder.missingBefore.has(path));
  folder.missingBefore = new Set(absent);
  tally.busy += absent.length - vanished.length;
  assertNoMishap(vanished.length, known, rule);
  const problems = [...kept].map(([path, problem]) => ({
    path,
    problem: `not deleted: ${problem}`,
  }));
  tally.problems = [...reading.problems, ...problems];
  tally.missing = rule.mayDelete ? [] : [...vanished];
  const deletions = vanished.flatMap((path) => deletionOf(state.files, path, rule));
  // A new file gets its note's id before the note is made, or a crash in between would make it twice;
  // and what it says counts as unread until the replica has it, or that crash would lose it.
  edits.forEach(({ path, entry, textHashBefore }) =>
    state.files.set(path, { ...entry, fileHash: null, textHash: textHashBefore }),
  );
  vanished.forEach((path) => state.files.delete(path));
  state.unread = gone.length > 0 ? state.unread : reading.unread;
  await writeFolderState(paths.state, state);
  await client.edit([...edits.map((edit) => editOf(folder, edit)), ...deletions]);
  edits.forEach(({ path, entry }) => state.files.set(path, entry));
  await writeFolderState(paths.state, state);
  count(edits, tally);
  tally.sent.deleted += deletions.length;
  return lookOf(folder, reading, { kept, aside });
};

const lookOf = (
  { state }: Folder,
  reading: FolderReading,
  { kept, aside }: { readonly kept: Doubts; readonly aside: ReadonlySet<string> },
): FolderLook => {
  const paths = [...reading.unread.map(({ path }) => path), ...kept.keys()];
  return {
    held: new Set([...aside, ...paths.flatMap((path) => state.files.get(path)?.noteId ?? [])]),
    names: reading.names,
    folders: reading.folders,
  };
};

/**
 * What is there now and was not listed. A listing takes time: a file that is moved meanwhile, from
 * where it has not been yet to where it was already, is in neither place for it.
 */
const findArrival = async (root: string, names: readonly string[]): Promise<string | null> => {
  const known = new Set(names);
  const { files, links, unreadable } = await listFiles(root);
  return [...files, ...links, ...unreadable].find(({ path }) => !known.has(path))?.path ?? null;
};

const unreadKey = ({ path, inode, birthtimeMs }: FoundFile): string =>
  `${inode}:${birthtimeMs}:${path}`;

/** Why files that were not found may be there after all, by their paths. */
type Doubts = ReadonlyMap<string, string>;

/**
 * Holds back the files that are not proved to be gone. A link, or what nobody can read, may be any of
 * them under another name, unless it was there before, while none of them was missing.
 */
const holdBack = async (
  { paths, state }: Folder,
  gone: readonly string[],
  { unread, unreadable, names, aside }: FolderReading & { readonly aside: ReadonlySet<string> },
): Promise<Doubts> => {
  const before = new Set(state.unread.map(unreadKey));
  const suspect =
    unreadable[0] ??
    unread.find((file) => !state.files.has(file.path) && !before.has(unreadKey(file)));
  const doubts = new Map<string, string>();
  for (const path of gone) {
    const doubt =
      (await findDoubt(paths.root, path)) ??
      (aside.has(state.files.get(path)?.noteId ?? '') ? `it is in ${paths.replaced}` : null) ??
      (suspect ? `${suspect.path} is new, cannot be read, and may be it` : null);
    if (doubt !== null) {
      doubts.set(path, doubt);
    }
  }
  const arrival = gone.length > doubts.size ? await findArrival(paths.root, names) : null;
  if (arrival !== null) {
    gone.forEach((path) => doubts.set(path, `${arrival} came during the look, and may be it`));
  }
  return doubts;
};

/** False for a file that we removed ourselves, with its note, and were killed before we wrote it down. */
const hasNote = ({ state, client }: Folder, path: string): boolean => {
  const entry = state.files.get(path);
  const isKnown = entry !== undefined && client.find(entry.noteId) !== null;
  if (!isKnown) {
    state.files.delete(path);
  }
  return isKnown;
};

const assertNoMishap = (gone: number, all: number, rule: DeletionRule): void => {
  const isMany = gone > manyFiles && gone > all * manyShare;
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
 * The origin in the state is behind when a crash came between the answer of the server and the next
 * write of the state: a file that said what the note says now was edited from there.
 */
const editOf = ({ client }: Folder, { entry, text, textHashBefore }: FileEdit): Edit => {
  const note = client.find(entry.noteId);
  const isCurrent = note !== null && textHashBefore === hashOfText(note.text);
  return { id: entry.noteId, text, origin: isCurrent ? note.origin : entry.origin };
};

const count = (edits: readonly FileEdit[], tally: Tally): void => {
  for (const { kind } of edits) {
    tally.sent.created += kind === 'new' ? 1 : 0;
    tally.sent.changed += kind === 'changed' ? 1 : 0;
    tally.moved += kind === 'moved' ? 1 : 0;
  }
};

/** A folder whose own files were lost finds the notes of its files again by what they say. */
const adoptFrom = ({ client, state }: Folder): Adopt => {
  const taken = new Set([...state.files.values()].map(({ noteId }) => noteId));
  let free: Map<string, ReturnType<Adopt>> | null = null;
  return (textHash) => {
    free ??= new Map(
      client
        .notes()
        .filter(({ id }) => !taken.has(id))
        .map(({ id, text, origin }) => [hashOfText(text), { noteId: id, origin }]),
    );
    const found = free.get(textHash) ?? null;
    free.delete(textHash);
    return found;
  };
};
