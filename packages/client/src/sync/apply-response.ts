import type { Schema } from '../api-client.ts';
import type { Origin } from './local-note.ts';
import type { Replica } from './replica.ts';
import { applyPulledNote, applyResult } from './apply-result.ts';

/** The outcome of one change, as reported to the application. */
export type SyncEvent = {
  readonly id: string;
  readonly status: Schema<'SyncChangeResult'>['status'];
  /** The base of further edits of the text that was sent. */
  readonly origin: Origin;
  /** After a conflict, the note with the text that was sent. */
  readonly conflictNoteId: string | null;
  readonly error: { readonly code: string; readonly detail: string } | null;
};

/** Applies the results of a push. Returns one event for each change that was outstanding. */
export const applyResults = (
  replica: Replica,
  results: Schema<'SyncResult'>['results'],
): SyncEvent[] =>
  results.flatMap((result) => {
    const { id, mutationId, status, conflictNoteId = null, error = null } = result;
    const before = replica.find(id);
    // A mutation that another one follows had its result before. It is resent only as a base.
    if (before.outstanding?.mutation.mutationId !== mutationId) {
      return [];
    }
    const { note, copy, origin } = applyResult(before, result);
    replica.setNote(note);
    if (copy) {
      replica.setNote(copy);
    }
    return [{ id, status, origin, conflictNoteId, error }];
  });

/** Applies a page of pulled changes. Returns the ids of the notes. */
export const applyChanges = (
  replica: Replica,
  changes: Schema<'SyncResult'>['changes'],
): string[] =>
  changes.map((change) => {
    replica.setNote(applyPulledNote(replica.find(change.id), change));
    return change.id;
  });

/** Marks every note as unseen and resets the cursor. The full pull clears the marks. */
export const beginFullPull = (replica: Replica): void => {
  for (const note of replica.all()) {
    if (note.server) {
      replica.setNote({ ...note, isUnseen: true });
    }
  }
  replica.setProgress({ cursor: null, isPullingAfresh: true });
};

/** Removes the notes that the full pull did not bring. Returns their ids. */
export const finishFullPull = (replica: Replica): string[] => {
  const removed = [...replica.all()].filter(({ isUnseen }) => isUnseen);
  removed.forEach((note) => replica.setNote({ ...note, server: null, isUnseen: false }));
  replica.setProgress({ isPullingAfresh: false });
  return removed.map(({ id }) => id);
};
