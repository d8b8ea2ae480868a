import type { SyncEvent, SyncReport } from '@commonplace/client';
import type { FileStats } from './file-stats.ts';
import { findSoleSides } from './find-sole-sides.ts';
import type { Folder, FolderLook, Tally } from './folder.ts';
import { hashOf, hashOfText, type FileEntry } from './folder-state.ts';
import { inParallel } from './in-parallel.ts';
import { describeFileTrouble } from './list-files.ts';
import { formatNoteFile } from './note-file.ts';
import { foldPath, pathFor, placeOf } from './note-path.ts';
import { replaceFile, writtenFile } from './replace-file.ts';
import { spellFolders, type SpellFolders } from './spell-folders.ts';
import { savePlan, type PlannedFile } from './write-plan.ts';

/** The files of a folder while notes are written into it. */
type Writing = Folder & {
  readonly tally: Tally;
  readonly held: ReadonlySet<string>;
  /** Paths by the ids of their notes. */
  readonly pathOf: Map<string, string>;
  /** Paths in use, as any file system compares them. */
  readonly taken: Set<string>;
  readonly spell: SpellFolders;
};

/**
 * Brings files in line with the notes that moved; files that were touched meanwhile, or that nothing
 * may be done with, are left for the next look. Gives the ids of those that have to be looked at again.
 */
export const writeNotes = async (
  folder: Folder,
  ids: ReadonlySet<string>,
  { report, tally, look }: Written,
): Promise<Set<string>> => {
  const { files } = folder.state;
  const writing: Writing = {
    ...folder,
    tally,
    held: look.held,
    pathOf: new Map([...files].map(([path, { noteId }]) => [noteId, path])),
    taken: new Set([...files.keys(), ...look.names].map(foldPath)),
    // Only what was found: a folder that is gone may have left its name to one that is spelled otherwise.
    // An empty folder is known by a path in it.
    spell: spellFolders(look.folders.map((folder) => `${folder}/`)),
  };
  const eventOf = new Map(report.events.map((event) => [event.id, event]));
  eventOf.forEach((event) => follow(writing, event));
  const soleSides = findSoleSides(folder, ids, writing.pathOf);
  const places = [...ids].map((id) => placeNote(writing, id));
  await savePlan(
    folder.paths,
    places.flatMap((place) => plannedFile(writing, place)),
  );
  const again = new Set<string>();
  const write = async (place: Place): Promise<void> => {
    const soleSide = soleSides.get(place.id);
    // Where its copy cannot be written, such as behind a link, the file stays, and is the copy's.
    const isKept = soleSide !== undefined && again.has(soleSide);
    if (isKept || !(await tryToWrite(writing, place))) {
      again.add(place.id);
      giveToCopy(writing, place.id, isKept ? soleSide : eventOf.get(place.id)?.conflictNoteId);
    }
  };
  const copies = new Set(soleSides.values());
  await inParallel(
    places.filter(({ id }) => copies.has(id)),
    write,
  );
  await inParallel(
    places.filter(({ id }) => !copies.has(id)),
    write,
  );
  return again;
};

/** What a look found and did before files are written. */
type Written = {
  readonly report: SyncReport;
  readonly tally: Tally;
  readonly look: FolderLook;
};

/** One file's trouble is that file's: it is told, and the others go on. */
const tryToWrite = async (writing: Writing, place: Place): Promise<boolean> => {
  const { held, tally } = writing;
  if (held.has(place.id)) {
    return false;
  }
  try {
    return await writeNote(writing, place);
  } catch (error) {
    const problem = describeFileTrouble(error);
    tally.problems.push({ path: place.path ?? place.current ?? place.id, problem });
    return false;
  }
};

/** Where the file of a note is, and where it belongs; null: nowhere. */
type Place = { readonly id: string; readonly current: string | null; readonly path: string | null };

const placeNote = ({ client, pathOf, taken, held, spell }: Writing, id: string): Place => {
  const note = client.find(id);
  const current = pathOf.get(id) ?? null;
  if (held.has(id)) {
    return { id, current, path: current };
  }
  const wanted = note && pathFor(note, current, (folded) => taken.has(folded));
  const path = wanted === null || wanted === current ? wanted : spell(wanted);
  if (path !== null) {
    taken.add(foldPath(path));
  }
  return { id, current, path };
};

const plannedFile = (
  { client, state, held }: Writing,
  { id, current, path }: Place,
): PlannedFile[] => {
  const note = client.find(id);
  if (!note || path === null || held.has(id)) {
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

/** A file that stays as it is says what was sent: edits of it are made from what became of that. */
const follow = ({ state, pathOf }: Writing, { id, origin }: SyncEvent): void => {
  const path = pathOf.get(id);
  const entry = path === undefined ? undefined : state.files.get(path);
  if (path !== undefined && entry) {
    state.files.set(path, { ...entry, origin });
  }
};

/** What somebody goes on writing after a conflict belongs to the note that keeps that side of it. */
const giveToCopy = (
  { state, pathOf }: Writing,
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

/** False when the file was touched meanwhile. */
const writeNote = async (writing: Writing, { id, current, path }: Place): Promise<boolean> => {
  const { client, state, tally } = writing;
  const note = client.find(id);
  const entry = current === null ? undefined : state.files.get(current);
  if (!note || path === null) {
    return current === null || !entry ? true : removeFile(writing, current, entry);
  }
  const textHash = hashOfText(note.text);
  if (entry && path === current && entry.textHash === textHash) {
    state.files.set(path, { ...entry, origin: note.isPending ? entry.origin : note.origin });
    return true;
  }
  const content = formatNoteFile(note.text, placeOf(path));
  const isMove = current !== null && path !== current;
  const expectedHash = isMove ? null : (entry?.fileHash ?? null);
  const like = isMove ? current : null;
  if (!(await replaceFile(writing.paths, { noteId: id, path, content, expectedHash, like }))) {
    tally.busy += 1;
    // Somebody else's file is in the way: the next look takes it in, and this note another name.
    return false;
  }
  if (isMove && entry && !(await removeFile(writing, current, entry))) {
    // Edited under its old name at this very moment: there it stays until that is taken in.
    const expected = hashOf(content);
    await replaceFile(writing.paths, { noteId: id, path, content: null, expectedHash: expected });
    return false;
  }
  const stats = await writtenFile(writing.paths, id);
  remember(writing, path, { noteId: id, origin: note.origin, textHash, content, stats });
  tally.received[current === null ? 'created' : 'changed'] += 1;
  return true;
};

const removeFile = async (writing: Writing, path: string, entry: FileEntry): Promise<boolean> => {
  const { noteId, fileHash } = entry;
  const isGone = await replaceFile(writing.paths, {
    noteId,
    path,
    content: null,
    expectedHash: fileHash,
  });
  if (!isGone) {
    writing.tally.busy += 1;
    return false;
  }
  writing.state.files.delete(path);
  writing.taken.delete(foldPath(path));
  if (!writing.client.find(noteId)) {
    writing.pathOf.delete(noteId);
    writing.tally.received.deleted += 1;
  }
  return true;
};

type Remembered = Pick<FileEntry, 'noteId' | 'origin' | 'textHash'> & {
  readonly content: string;
  readonly stats: FileStats;
};

const remember = (
  { state, pathOf, taken }: Writing,
  path: string,
  { content, stats, ...written }: Remembered,
): void => {
  state.files.set(path, { ...written, fileHash: hashOf(content), ...stats });
  pathOf.set(written.noteId, path);
  taken.add(foldPath(path));
};
