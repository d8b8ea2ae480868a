import type { LocalNote } from './local-note.ts';

/** A background job that was handed to the server and whose outcome is not known yet. */
type PendingJob = { readonly jobId: string };

/** Where the client stands, besides its notes. */
export type SyncProgress = {
  /** Names this installation to the server; stays the same for good. */
  readonly clientId: string;
  /** Null: the next pull begins at the start. */
  readonly cursor: string | null;
  /** Notes still marked as unseen at the end of this pull are gone from the server. */
  readonly isPullingAfresh: boolean;
  readonly job: PendingJob | null;
};

/** Everything a client remembers. */
export type SyncState = { readonly progress: SyncProgress; readonly notes: readonly LocalNote[] };

/** A step of the client: all of it is stored, or nothing. */
export type SyncWrite = {
  readonly progress?: SyncProgress;
  /** Stored in place of what was known of them. A note of which nothing is known may be dropped. */
  readonly notes: readonly LocalNote[];
};

/** Where a client keeps its state. `save` resolves when the write would survive a crash. */
export type SyncStore = {
  /** Null when there is nothing yet. */
  readonly load: () => Promise<SyncState | null>;
  readonly save: (write: SyncWrite) => Promise<void>;
};

/** A store that lives as long as its process. */
export const createMemoryStore = (): SyncStore => {
  let progress: SyncProgress | null = null;
  const notes = new Map<string, LocalNote>();
  return {
    load: async () => progress && { progress, notes: [...notes.values()] },
    save: async (write) => {
      progress = write.progress ?? progress;
      write.notes.forEach((note) => notes.set(note.id, note));
    },
  };
};
