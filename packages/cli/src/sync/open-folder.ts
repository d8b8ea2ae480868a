import { lstat, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { openSyncClient, type ApiClient } from '@commonplace/client';
import { openFileStore } from './file-store.ts';
import { folderPaths, type FolderPaths } from './folder-paths.ts';
import { readFolderState, type FileEntry, type FolderState } from './folder-state.ts';
import type { Folder } from './folder.ts';
import { lockFolder } from './lock-folder.ts';
import { fileOfNote, putBack } from './put-back.ts';
import { settlePlan } from './write-plan.ts';

/** Whose notes come into a folder. */
export type Home = { readonly baseUrl: string; readonly companyId: string };

/** A folder that this process alone keeps in step. */
export type OpenFolder = { readonly folder: Folder; readonly close: () => Promise<void> };

/** Opens a folder for a company. Throws when it is another company's, or in another process's hands. */
export const openFolder = async (api: ApiClient, root: string, home: Home): Promise<OpenFolder> => {
  await mkdir(root, { recursive: true });
  const paths = folderPaths(root);
  await assertOwnFolders(paths);
  const unlock = await lockFolder(paths.lock);
  try {
    const stored = await readFolderState(paths.state);
    if (stored && stored.companyId !== home.companyId) {
      throw new Error(
        `${root} holds the notes of company ${stored.companyId}, and this key is one of ${home.companyId}`,
      );
    }
    const files = stored?.files ?? new Map<string, FileEntry>();
    const state: FolderState = { ...home, files, unread: stored?.unread ?? [] };
    await putBack(paths, (noteId) => fileOfNote(state.files, noteId));
    await settlePlan(paths, state);
    const store = await openFileStore(paths.replica);
    const client = await openSyncClient({ api, store }).catch(async (error: unknown) => {
      await store.close();
      throw error;
    });
    const folder = { paths, state, client, missingBefore: new Set<string>() };
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

/** Our own files are written without a look at the way to them: no link may lead it elsewhere. */
const assertOwnFolders = async (paths: FolderPaths): Promise<void> => {
  for (const path of [dirname(paths.state), paths.fresh, paths.replaced]) {
    const found = await lstat(path).catch(() => null);
    if (found && !found.isDirectory()) {
      throw new Error(`${path} is a link or a file: remove it, it belongs to commonplace sync`);
    }
  }
};
