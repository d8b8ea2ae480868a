import type { SyncClient } from '@commonplace/client';
import type { FolderPaths } from './folder-paths.ts';
import type { FolderState } from './folder-state.ts';

/** A folder that is kept in step with a company's notes. */
export type Folder = {
  readonly paths: FolderPaths;
  readonly state: FolderState;
  readonly client: SyncClient;
  /** Files that were not there at the last look. */
  missingBefore: ReadonlySet<string>;
};

/** What the files of a folder allow to be done with them after a look. */
export type FolderLook = {
  /** Notes whose files nobody can read, or that may still be there: they stay as they are. */
  readonly held: ReadonlySet<string>;
  /** Paths of everything that was found, folders among it. */
  readonly names: readonly string[];
  /** The folders among them. */
  readonly folders: readonly string[];
};

/** What a look at the folder and the server found and did, for the summary. */
export type Tally = {
  sent: { created: number; changed: number; deleted: number };
  merged: number;
  conflicts: string[];
  received: { created: number; changed: number; deleted: number };
  moved: number;
  problems: { path: string; problem: string }[];
  /** Files that are gone while their notes are not. */
  missing: string[];
  /** Files that somebody was writing at that very moment, or that may be on the move: look again. */
  busy: number;
};

/** A tally of nothing yet. */
export const newTally = (): Tally => ({
  sent: { created: 0, changed: 0, deleted: 0 },
  merged: 0,
  conflicts: [],
  received: { created: 0, changed: 0, deleted: 0 },
  moved: 0,
  problems: [],
  missing: [],
  busy: 0,
});
