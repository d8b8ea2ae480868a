import type { LocalNote } from './local-note.ts';

/** A background job whose results are not known yet. */
type PendingJob = { readonly jobId: string };

/** The client's state apart from its notes. */
export type SyncProgress = {
  /** Identifies this installation to the server; never changes. */
  readonly clientId: string;
  /** Null means the next pull is a full pull. */
  readonly cursor: string | null;
  /** A full pull is running: notes still marked as unseen at its end are deleted on the server. */
  readonly isPullingAfresh: boolean;
  readonly job: PendingJob | null;
  /** The server's history, of which a restored backup has another one. Absent in stores of earlier versions. */
  readonly epoch?: string;
  /** The server's time at which the replica last had everything. Absent as above. */
  readonly completeAt?: string;
  /** The running full pull is from a restored server, which may have lost what the replica has. */
  readonly isRestored?: boolean;
};

/** The complete stored state of a client. */
export type SyncState = { readonly progress: SyncProgress; readonly notes: readonly LocalNote[] };

/** One atomic write. */
export type SyncWrite = {
  readonly progress?: SyncProgress;
  /** Each replaces the stored note of its id. A store may drop discardable notes. */
  readonly notes: readonly LocalNote[];
};

/** Stores a client's state. `save` resolves when the write is durable. */
export type SyncStore = {
  /** Null when nothing is stored yet. */
  readonly load: () => Promise<SyncState | null>;
  readonly save: (write: SyncWrite) => Promise<void>;
};

/** A store that lasts as long as its process. */
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
