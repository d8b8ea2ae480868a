import { readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../describe-error.ts';
import { toBeRead } from './file-stats.ts';
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
  { plan }: FolderPaths,
  files: readonly PlannedFile[],
): Promise<void> => {
  if (files.length > 0) {
    await writeDurably(plan, JSON.stringify(files));
  }
};

/** Forgets the plan: the state of the folder has it all. What proved which files are ours goes too. */
export const dropPlan = async ({ plan, fresh }: FolderPaths): Promise<void> => {
  await rm(plan, { force: true });
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
  const ours = isOldKnown ? await findOurs(paths, planned) : null;
  if (ours && (path === from || (await isMoved(paths, files, planned)))) {
    if (from !== null) {
      files.delete(from);
    }
    files.set(path, { noteId, origin, textHash, fileHash: null, ...toBeRead(ours.stats) });
  }
};

/**
 * The file in its place, when it is the planned one: it says what was planned, or is the very file that
 * was written, edited since, which has its second name in our own folder still. Any other file is the
 * work of somebody else, made after the kill: it stays, and becomes a note of its own.
 */
const findOurs = async (
  paths: FolderPaths,
  { path, noteId, fileHash }: PlannedFile,
): Promise<PlainFile | null> => {
  const found = await readAt(paths, path);
  const fresh = found && (await readPlainFile(join(paths.fresh, `${noteId}.md`)));
  const isOurs =
    found !== null &&
    (hashOf(found.bytes) === fileHash || found.stats.inode === fresh?.stats.inode);
  return isOurs ? found : null;
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
  const file = await readFile(plan, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') {
      return '[]';
    }
    throw error;
  });
  return JSON.parse(file) as PlannedFile[];
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
