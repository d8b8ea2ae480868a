import type { Schema } from '../api-client.ts';
import type { LocalNote, Origin } from './local-note.ts';
import type { Replica } from './replica.ts';
import { applyPulledNote, applyResult } from './apply-result.ts';
import { keepLocal, resend } from './keep-local.ts';

/** The outcome of one change, as reported to the application. */
export type SyncEvent = {
  readonly id: string;
  readonly status: Schema<'SyncChangeResult'>['status'];
  /** Whether the change was a deletion. */
  readonly isDeletion: boolean;
  /** Whether the server did not have the note: it is new, or a restored server had lost it. */
  readonly isCreation: boolean;
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
    const { note, copy, origin } = applyResult(before, result, replica.find);
    replica.setNote(note);
    if (copy) {
      replica.setNote(copy);
    }
    const { text, baseRevision } = before.outstanding.mutation;
    const isDeletion = text === null;
    const isCreation = !isDeletion && (baseRevision === null || before.server === null);
    return [{ id, status, isDeletion, isCreation, origin, conflictNoteId, error }];
  });

/** Applies a page of pulled changes. Returns the ids of the notes. */
export const applyChanges = (
  replica: Replica,
  changes: Schema<'SyncResult'>['changes'],
): string[] => {
  const { isRestored, completeAt } = replica.progress();
  return changes.map((change) => {
    const note = replica.find(change.id);
    const applied = applyPulledNote(note, change);
    const isStale = isOlder(change.updatedAt, completeAt);
    replica.setNote(isRestored ? keepLocal(note, applied, { isStale }) : applied);
    return change.id;
  });
};

/** Whether a version is from before the replica last had everything. */
const isOlder = (updatedAt: string, completeAt: string | undefined): boolean =>
  completeAt !== undefined && Date.parse(updatedAt) < Date.parse(completeAt);

/** Marks every note as unseen and resets the cursor. The full pull clears the marks. */
export const beginFullPull = (replica: Replica): void => {
  markUnseen(replica, replica.all());
  replica.setProgress({ cursor: null, isPullingAfresh: true });
};

/** Notes of the server that count as deleted or hidden, unless the full pull brings them. */
export const markUnseen = (replica: Replica, notes: Iterable<LocalNote>): void => {
  for (const note of notes) {
    if (note.server) {
      replica.setNote({ ...note, isUnseen: true });
    }
  }
};

/**
 * Removes the notes that the full pull did not bring. Returns their ids. Those that a restored server has lost
 * stay, and are sent again. Where nothing proves that it brought all, they count as hidden.
 */
export const finishFullPull = (
  replica: Replica,
  { isVerified }: { readonly isVerified: boolean },
): string[] => {
  const isRestored = replica.progress().isRestored === true;
  const missing = [...replica.all()].filter(({ isUnseen }) => isUnseen);
  missing.forEach((note) => {
    const hidden = isVerified ? {} : { isWithdrawn: true };
    const removed = { ...note, server: null, isUnseen: false, ...hidden };
    replica.setNote(isRestored ? resend(note, removed) : removed);
  });
  replica.setProgress({ isPullingAfresh: false, isRestored: false });
  return missing.map(({ id }) => id);
};
