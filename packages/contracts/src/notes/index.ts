import type { RouteContract } from '../route-contract.ts';
import { cancelSyncJob } from './cancel-sync-job.ts';
import { deleteNote } from './delete-note.ts';
import { getNote } from './get-note.ts';
import { getRevision } from './get-revision.ts';
import { getSyncJob } from './get-sync-job.ts';
import { listNotes } from './list-notes.ts';
import { listRevisions } from './list-revisions.ts';
import { putNote } from './put-note.ts';
import { restoreNote } from './restore-note.ts';
import { runSync } from './run-sync.ts';
import { watchChanges } from './watch-changes.ts';

export * from './author.ts';
export * from './cancel-sync-job.ts';
export * from './delete-note.ts';
export * from './get-note.ts';
export * from './get-revision.ts';
export * from './get-sync-job.ts';
export * from './list-notes.ts';
export * from './list-revisions.ts';
export * from './note-data.ts';
export * from './note-input.ts';
export * from './note-limits.ts';
export * from './note-properties.ts';
export * from './note-revision.ts';
export * from './put-note.ts';
export * from './restore-note.ts';
export * from './run-sync.ts';
export * from './sync-digest.ts';
export * from './sync-job.ts';
export * from './sync-request.ts';
export * from './sync-result.ts';
export * from './watch-changes.ts';

/** Every public route of the notes service. */
export const notesRoutes: readonly RouteContract[] = [
  listNotes,
  putNote,
  getNote,
  deleteNote,
  restoreNote,
  listRevisions,
  getRevision,
  runSync,
  getSyncJob,
  cancelSyncJob,
  watchChanges,
];
