import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../describe-error.ts';
import type { FolderPaths } from './folder-paths.ts';
import {
  hashOf,
  writeDurably,
  writeFolderState,
  type FileEntry,
  type FolderState,
} from './folder-state.ts';

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

/** Forgets the plan: the state of the folder has it all. */
export const dropPlan = ({ plan }: FolderPaths): Promise<void> => rm(plan, { force: true });

/** Takes what a killed program had begun into the state of the folder, and ends its moves. */
export const settlePlan = async (paths: FolderPaths, state: FolderState): Promise<void> => {
  const plan = await readPlan(paths);
  for (const planned of plan) {
    await settleFile(paths, state.files, planned);
  }
  if (plan.length > 0) {
    await writeFolderState(paths.state, state);
    await dropPlan(paths);
  }
};

const settleFile = async (
  paths: FolderPaths,
  files: FolderState['files'],
  planned: PlannedFile,
): Promise<void> => {
  const { path, from, noteId, origin, textHash } = planned;
  const isDone =
    path === from ? isReplaced(paths, files, planned) : hasAppeared(paths, files, planned);
  if (await isDone) {
    if (from !== null) {
      files.delete(from);
    }
    files.set(path, { noteId, origin, textHash, fileHash: null, ...neverLookedAt });
  }
};

/**
 * Whether a new version is in its place. One that somebody has edited since counts as an edit of the
 * old one: at worst a conflict, where the other way about somebody's change could be undone.
 */
const isReplaced = async (
  paths: FolderPaths,
  files: FolderState['files'],
  { path, noteId, fileHash }: PlannedFile,
): Promise<boolean> =>
  files.get(path)?.noteId === noteId && (await hashAt(paths, path)) === fileHash;

/** Whether a file stands where there was none. A move is then brought to its end. */
const hasAppeared = async (
  paths: FolderPaths,
  files: FolderState['files'],
  planned: PlannedFile,
): Promise<boolean> =>
  !files.has(planned.path) &&
  (await hashAt(paths, planned.path)) !== null &&
  isMoved(paths, files, planned);

/** What makes the next look read a file. */
const neverLookedAt = { size: -1, mtimeMs: -1, inode: -1 } as const;

/** Removes the old file of a move; one that the user has changed since stays, and the new one goes. */
const isMoved = async (
  paths: FolderPaths,
  files: ReadonlyMap<string, FileEntry>,
  { path, from, fileHash }: PlannedFile,
): Promise<boolean> => {
  const old = from === null ? null : await hashAt(paths, from);
  if (from === null || old === null) {
    return true;
  }
  if (old === files.get(from)?.fileHash) {
    await rm(join(paths.root, from), { force: true });
    return true;
  }
  if ((await hashAt(paths, path)) === fileHash) {
    await rm(join(paths.root, path), { force: true });
  }
  return false;
};

const readPlan = async ({ plan }: FolderPaths): Promise<readonly PlannedFile[]> => {
  const bytes = await readIfThere(plan);
  return bytes ? (JSON.parse(bytes.toString()) as PlannedFile[]) : [];
};

const hashAt = async ({ root }: FolderPaths, path: string): Promise<string | null> => {
  const bytes = await readIfThere(join(root, path));
  return bytes && hashOf(bytes);
};

const readIfThere = async (path: string): Promise<Buffer | null> => {
  try {
    return await readFile(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') {
      return null;
    }
    throw error;
  }
};
