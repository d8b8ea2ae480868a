import { lstat, readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../describe-error.ts';
import { identityOf, toBeRead, type FileStats } from './file-stats.ts';
import type { FolderPaths } from './folder-paths.ts';
import {
  hashOf,
  writeDurably,
  writeFolderState,
  type FileEntry,
  type FolderState,
} from './folder-state.ts';
import { inFolderOf } from './held-folder.ts';
import { describeFileTrouble } from './list-files.ts';
import { readPlainFile, type PlainFile } from './read-plain-file.ts';
import { replaceFile } from './replace-file.ts';

/** A file that is about to be written: a new note's, a moved one's, or a new version in its place. */
export type PlannedFile = Pick<FileEntry, 'noteId' | 'origin' | 'textHash'> & {
  readonly path: string;
  /** Where the note's file is until then; null: nowhere. */
  readonly from: string | null;
  readonly fileHash: string;
};

/**
 * Makes durable which files are about to be written. A program that is killed before it can write down
 * which of them were would otherwise take them for the work of the user: new ones for new notes, and
 * new versions for edits of old ones.
 */
export const savePlan = async (
  { plan, fresh }: FolderPaths,
  files: readonly PlannedFile[],
): Promise<void> => {
  if (files.length > 0) {
    // What a look that failed left there proves nothing of this plan.
    await dropFresh(fresh);
    await writeDurably(plan, JSON.stringify(files));
  }
};

/** Forgets the plan: the state of the folder has it all. What proved which files are ours goes too. */
export const dropPlan = async ({ plan, fresh }: FolderPaths): Promise<void> => {
  await rm(plan, { force: true });
  await dropFresh(fresh);
};

const dropFresh = async (fresh: string): Promise<void> => {
  for (const name of await readdir(fresh).catch(() => [])) {
    await rm(join(fresh, name), { force: true });
  }
};

/** Takes what a killed program had begun into the state of the folder, and ends its moves. */
export const settlePlan = async (paths: FolderPaths, state: FolderState): Promise<void> => {
  const plan = await readPlan(paths);
  for (const planned of plan) {
    await settleFile(paths, state.files, planned);
  }
  if (plan.length > 0) {
    await writeFolderState(paths.state, state);
  }
  await dropPlan(paths);
};

const settleFile = async (
  paths: FolderPaths,
  files: FolderState['files'],
  planned: PlannedFile,
): Promise<void> => {
  const { path, from, noteId, origin, textHash } = planned;
  const isOldKnown = path === from ? files.get(path)?.noteId === noteId : !files.has(path);
  const ours = isOldKnown ? await findOurs(paths, files, planned) : null;
  if (ours && (path === from || (await isMoved(paths, files, planned)))) {
    if (from !== null) {
      files.delete(from);
    }
    files.set(path, { noteId, origin, textHash, ...ours });
  }
};

/** What is known of the file that was written. */
type OurFile = FileStats & Pick<FileEntry, 'fileHash'>;

/**
 * The file in its place, when it is the planned one: it says what was planned, or is the very file that
 * was written, edited since, which has its second name in our own folder still. Any other file is the
 * work of somebody else, made after the kill: it stays, and becomes a note of its own.
 *
 * Nothing is in its place, and the file that was written has two names: it was there, and the user has
 * moved it, or its folder, since. The next look finds it under its new name, as it does any other.
 */
const findOurs = async (
  paths: FolderPaths,
  files: ReadonlyMap<string, FileEntry>,
  { path, from, noteId, fileHash }: PlannedFile,
): Promise<OurFile | null> => {
  const found = await readAt(paths, path);
  const fresh = await lstat(join(paths.fresh, `${noteId}.md`)).catch(nullIfAbsent);
  if (!found) {
    const isAway = fresh !== null && fresh.nlink > 1;
    const isKnown = (): boolean =>
      [...files].some(([known, entry]) => entry.noteId === noteId && known !== from);
    return isAway && !isKnown() ? { ...toBeRead(identityOf(fresh)), fileHash } : null;
  }
  const isOurs = hashOf(found.bytes) === fileHash || found.stats.inode === fresh?.ino;
  return isOurs ? { ...toBeRead(found.stats), fileHash: null } : null;
};

/**
 * Removes the old file of a move. One that the user has changed since, or that may not be removed, stays,
 * and the new one goes. A folder that nothing may be removed from must not keep the others waiting.
 */
const isMoved = async (
  paths: FolderPaths,
  files: ReadonlyMap<string, FileEntry>,
  { path, from, noteId, fileHash }: PlannedFile,
): Promise<boolean> => {
  const old = from === null ? null : await readAt(paths, from);
  if (from === null || old === null) {
    return true;
  }
  const known = files.get(from)?.fileHash ?? null;
  const remove = async (gone: string, expectedHash: string): Promise<boolean> => {
    try {
      return await replaceFile(paths, { noteId, path: gone, content: null, expectedHash });
    } catch (error) {
      describeFileTrouble(error);
      return false;
    }
  };
  if (known !== null && (await remove(from, known))) {
    return true;
  }
  await remove(path, fileHash);
  return false;
};

const readPlan = async ({ plan }: FolderPaths): Promise<readonly PlannedFile[]> => {
  const file = await readFile(plan, 'utf8').catch(nullIfAbsent);
  return JSON.parse(file ?? '[]') as PlannedFile[];
};

const nullIfAbsent = (error: unknown): null => {
  if (codeOf(error) === 'ENOENT') {
    return null;
  }
  throw error;
};

/** Null where there is no file, whatever else is there: what stands in the way is not ours. */
const readAt = async ({ root }: FolderPaths, path: string): Promise<PlainFile | null> => {
  try {
    return await inFolderOf(root, path, readPlainFile);
  } catch (error) {
    describeFileTrouble(error);
    return null;
  }
};
