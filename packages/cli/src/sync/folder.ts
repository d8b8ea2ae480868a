import type { SyncClient } from '@commonplace/client';
import type { FolderIdentity } from './folder-identity.ts';
import type { FolderPaths } from './folder-paths.ts';
import type { FolderState } from './folder-state.ts';

/** A folder that is synchronised with a company's notes. */
export type Folder = {
  readonly paths: FolderPaths;
  readonly state: FolderState;
  readonly client: SyncClient;
  /** Proves at every scan that the path still leads to this folder. */
  readonly identity: FolderIdentity;
  /** Files that the previous scan did not find. */
  missingBefore: ReadonlySet<string>;
};

/** What a scan forbids to the writes that follow it. */
export type WriteConstraints = {
  /** Notes whose files are unreadable, or may still exist elsewhere: their files are not written. */
  readonly held: ReadonlySet<string>;
  /** Paths of everything that was found, including folders. */
  readonly names: readonly string[];
  /** The paths that are folders. */
  readonly folders: readonly string[];
};
