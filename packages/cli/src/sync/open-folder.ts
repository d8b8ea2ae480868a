import { lstat, mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { openSyncClient, type ApiClient, type SyncClientOptions } from '@commonplace/client';
import { LockedError, takeFileLock } from '@commonplace/file-lock';
import { openFileStore } from './file-store.ts';
import { identifyFolder } from './folder-identity.ts';
import { assertOwner, type FolderOwner } from './folder-owner.ts';
import { folderPaths, type FolderPaths } from './folder-paths.ts';
import {
  readFolderState,
  writeFolderState,
  type FileEntry,
  type FolderState,
} from './folder-state.ts';
import type { Folder } from './folder.ts';
import { fileOfNote, restoreInterrupted } from './restore-interrupted.ts';
import { replayJournal } from './write-journal.ts';

/** A folder that is locked for this process. */
export type OpenFolder = { readonly folder: Folder; readonly close: () => Promise<void> };

/** Whose notes a folder holds, and whether its changes may become proposals. */
type FolderOptions = FolderOwner & Pick<SyncClientOptions, 'proposals'>;

/** Opens a folder for a company. Throws when it belongs to another company, or is in use. */
export const openFolder = async (
  api: ApiClient,
  root: string,
  { proposals = false, ...owner }: FolderOptions,
): Promise<OpenFolder> => {
  await mkdir(root, { recursive: true });
  const paths = folderPaths(root);
  await assertStateFolders(paths);
  const unlock = await lockFolder(paths.lock);
  try {
    const stored = await readFolderState(paths.state);
    assertOwner(root, stored, owner);
    const files = stored?.files ?? new Map<string, FileEntry>();
    const { unread = [], knownBeforeHold = null } = stored ?? {};
    const state: FolderState = { ...owner, files, unread, knownBeforeHold };
    if (!stored) {
      await claimFolder(paths, state);
    }
    await restoreInterrupted(paths, (noteId) => fileOfNote(state.files, noteId));
    await replayJournal(paths, state);
    const store = await openFileStore(paths.replica);
    const client = await openSyncClient({ api, store, proposals }).catch(async (error: unknown) => {
      await store.close();
      throw error;
    });
    const identity = await identifyFolder(paths).catch(async (error: unknown) => {
      await store.close();
      throw error;
    });
    const folder = { paths, state, client, identity, missingBefore: new Set<string>() };
    const close = async (): Promise<void> => {
      try {
        await store.close();
      } finally {
        await unlock();
      }
    };
    return { folder, close };
  } catch (error) {
    await unlock();
    throw error;
  }
};

/**
 * Stores whose notes a folder will hold before any is received. Otherwise, those of a first run that was interrupted would be
 * sent to another company that the next one names. Edits are in the files: none is stored before the owner is.
 */
const claimFolder = async (paths: FolderPaths, state: FolderState): Promise<void> => {
  await rm(paths.replica, { force: true });
  await writeFolderState(paths.state, state);
};

/** State files are written without checking for links on their path, so there must be none. */
const assertStateFolders = async (paths: FolderPaths): Promise<void> => {
  for (const path of [dirname(paths.state), paths.staged, paths.displaced]) {
    const found = await lstat(path).catch(() => null);
    if (found && !found.isDirectory()) {
      throw new Error(
        `${path} is a link or a file, but commonplace sync needs it as a folder: remove it`,
      );
    }
  }
};

/** Locks a folder for this process. Returns the release function; throws when it is locked already. */
const lockFolder = async (path: string): Promise<() => Promise<void>> => {
  await mkdir(dirname(path), { recursive: true });
  try {
    return await takeFileLock(path);
  } catch (error) {
    if (!(error instanceof LockedError)) {
      throw error;
    }
    const holder = error.holder === null ? 'another process' : `process ${error.holder}`;
    throw new Error(`${holder} is already synchronising this folder`, { cause: error });
  }
};
