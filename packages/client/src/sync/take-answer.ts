import type { Schema } from '../api-client.ts';
import type { Origin } from './local-note.ts';
import type { Replica } from './replica.ts';
import { pullNote, settleNote } from './settle-note.ts';

/** What became of one change, as the application hears it. */
export type SyncEvent = {
  readonly id: string;
  readonly status: Schema<'SyncChangeResult'>['status'];
  /** What the text that was sent is now: further edits of it are made from there. */
  readonly origin: Origin;
  /** The note that keeps what was sent, after a conflict. */
  readonly conflictNoteId: string | null;
  readonly error: { readonly code: string; readonly detail: string } | null;
};

/** Takes the results of a push in; one event for each change that was outstanding. */
export const takeResults = (
  replica: Replica,
  results: Schema<'SyncResult'>['results'],
): SyncEvent[] =>
  results.flatMap((result) => {
    const { id, mutationId, status, conflictNoteId = null, error = null } = result;
    const before = replica.find(id);
    // What others follow was answered before, and is sent again only so that the server knows it.
    if (before.outstanding?.mutation.mutationId !== mutationId) {
      return [];
    }
    const { note, copy, origin } = settleNote(before, result);
    replica.setNote(note);
    if (copy) {
      replica.setNote(copy);
    }
    return [{ id, status, origin, conflictNoteId, error }];
  });

/** Takes a page of changes of others in; gives the ids of the notes. */
export const takeChanges = (replica: Replica, changes: Schema<'SyncResult'>['changes']): string[] =>
  changes.map((change) => {
    replica.setNote(pullNote(replica.find(change.id), change));
    return change.id;
  });

/** Marks every note as not seen yet: a full pull begins, and clears the marks. */
export const beginAfresh = (replica: Replica): void => {
  for (const note of replica.all()) {
    if (note.server) {
      replica.setNote({ ...note, isUnseen: true });
    }
  }
  replica.setProgress({ cursor: null, isPullingAfresh: true });
};

/** Takes the server's word that what the full pull did not bring is gone. Gives the ids. */
export const endAfresh = (replica: Replica): string[] => {
  const gone = [...replica.all()].filter(({ isUnseen }) => isUnseen);
  gone.forEach((note) => replica.setNote({ ...note, server: null, isUnseen: false }));
  replica.setProgress({ isPullingAfresh: false });
  return gone.map(({ id }) => id);
};
