import { join } from 'node:path';

/** Where things are in a folder that is kept in step. */
export type FolderPaths = {
  readonly root: string;
  readonly state: string;
  readonly replica: string;
  /** Files that are about to appear. */
  readonly plan: string;
  readonly lock: string;
  /** New files until they are complete. */
  readonly fresh: string;
  /** Old files until their successors are in place: what is left here after a crash is put back. */
  readonly replaced: string;
};

/** The name of the folder with our own files, in the folder that is kept in step. */
export const ownFolder = '.commonplace';

/** The paths of a folder. */
export const folderPaths = (root: string): FolderPaths => {
  const own = (name: string): string => join(root, ownFolder, name);
  return {
    root,
    state: own('files.json'),
    replica: own('replica.jsonl'),
    plan: own('plan.json'),
    lock: own('lock'),
    fresh: own('fresh'),
    replaced: own('replaced'),
  };
};
