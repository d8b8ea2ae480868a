import { join } from 'node:path';

/** The paths of a synchronised folder. */
export type FolderPaths = {
  readonly root: string;
  readonly state: string;
  readonly replica: string;
  /** Identifies the folder, whatever its path. */
  readonly id: string;
  /** The journal of files about to be written. */
  readonly writeJournal: string;
  readonly lock: string;
  /** Holds new files until they are complete. */
  readonly staged: string;
  /** Holds replaced files until their successors are in place; files left by a crash are restored. */
  readonly displaced: string;
  /** Holds the files of notes that the credential no longer reaches, by their former paths. */
  readonly removed: string;
};

/** The name of the folder with the program's state, inside the synchronised folder. */
export const stateFolder = '.commonplace';

/** Returns the paths of a folder. The names on disk never change, so that existing folders open. */
export const folderPaths = (root: string): FolderPaths => {
  const statePath = (name: string): string => join(root, stateFolder, name);
  return {
    root,
    state: statePath('files.json'),
    replica: statePath('replica.jsonl'),
    id: statePath('id'),
    writeJournal: statePath('plan.json'),
    lock: statePath('lock'),
    staged: statePath('fresh'),
    displaced: statePath('replaced'),
    removed: statePath('removed'),
  };
};
