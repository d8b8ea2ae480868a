import {
  isDiscardable,
  isPending,
  isReadyToPush,
  unknownNote,
  type LocalNote,
} from './local-note.ts';
import type { SyncProgress, SyncStore } from './sync-store.ts';

/**
 * The state of a client in memory. `commit` resolves when every change made before the call is durable.
 */
export type Replica = {
  readonly progress: () => SyncProgress;
  readonly find: (id: string) => LocalNote;
  readonly all: () => IterableIterator<LocalNote>;
  /** Notes with unconfirmed edits, oldest edit first. */
  readonly pending: () => LocalNote[];
  readonly setNote: (note: LocalNote) => void;
  readonly setProgress: (progress: Partial<SyncProgress>) => void;
  readonly commit: () => Promise<void>;
};

/** Loads the stored state, or starts empty with a new client id. */
export const openReplica = async (store: SyncStore): Promise<Replica> => {
  const loaded = await store.load();
  const notes = new Map((loaded?.notes ?? []).map((note) => [note.id, note]));
  const pending = new Set([...notes.values()].filter(isPending).map(({ id }) => id));
  const changed = new Set<string>();
  let progress: SyncProgress = loaded?.progress ?? newProgress();
  let isProgressChanged = loaded === null;
  let saving: Promise<void> = Promise.resolve();

  const save = async (): Promise<void> => {
    if (changed.size === 0 && !isProgressChanged) {
      return;
    }
    const ids = [...changed];
    const write = {
      ...(isProgressChanged ? { progress } : {}),
      notes: ids.map((id) => notes.get(id) ?? unknownNote(id)),
    };
    changed.clear();
    isProgressChanged = false;
    await store.save(write).catch((error: unknown) => {
      // Not durable yet, so the next write includes it again.
      ids.forEach((id) => changed.add(id));
      isProgressChanged ||= 'progress' in write;
      throw error;
    });
  };

  return {
    progress: () => progress,
    find: (id) => notes.get(id) ?? unknownNote(id),
    all: () => notes.values(),
    pending: () => [...pending].map((id) => notes.get(id) ?? unknownNote(id)),
    setNote: (note) => {
      changed.add(note.id);
      if (isDiscardable(note)) {
        notes.delete(note.id);
      } else {
        notes.set(note.id, note);
      }
      toggle(pending, note.id, isPending(note));
    },
    setProgress: (change) => {
      progress = { ...progress, ...change };
      isProgressChanged = true;
    },
    // Writes run one at a time and in order. A failed write rejects its own caller and blocks no later one.
    commit: () => {
      saving = saving.catch(() => undefined).then(save);
      return saving;
    },
  };
};

/** The pending notes of the next push: all but those that the server rejected. */
export const listReadyToPush = (replica: Replica): LocalNote[] =>
  replica.pending().filter(isReadyToPush);

const toggle = (ids: Set<string>, id: string, isIn: boolean): unknown =>
  isIn ? ids.add(id) : ids.delete(id);

const newProgress = (): SyncProgress => ({
  clientId: crypto.randomUUID(),
  cursor: null,
  isPullingAfresh: true,
  job: null,
});
