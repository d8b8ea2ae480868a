import { diffNoteContract } from './diff-note.ts';
import { listNoteActivityContract } from './list-note-activity.ts';
import type { RouteContract } from '../route-contract.ts';
import { blameNoteContract } from './blame-note.ts';
import { cancelSyncJobContract } from './cancel-sync-job.ts';
import { countNoteChangesContract } from './count-note-changes.ts';
import { createNoteContract } from './create-note.ts';
import { deleteNoteContract } from './delete-note.ts';
import { getContextContract } from './get-context.ts';
import { editNoteContract } from './edit-note.ts';
import { findNotesByTitleContract } from './find-notes-by-title.ts';
import { getNoteByPathContract } from './get-note-by-path.ts';
import { getNoteContract } from './get-note.ts';
import { getRevisionContract } from './get-revision.ts';
import { getSyncJobContract } from './get-sync-job.ts';
import { listConflictsContract } from './list-conflicts.ts';
import { listNotesContract } from './list-notes.ts';
import { listFoldersContract, listTagsContract } from './list-labels.ts';
import { listNoteLinksContract } from './list-note-links.ts';
import { listRevisionsContract } from './list-revisions.ts';
import { callConnectMcpContract, callMcpContract } from './mcp.ts';
import { putNoteContract } from './put-note.ts';
import { readNotesContract } from './read-notes.ts';
import { resolveConflictContract } from './resolve-conflict.ts';
import { restoreNoteContract } from './restore-note.ts';
import { runSyncContract } from './run-sync.ts';
import { getSearchSettingsContract, putSearchSettingsContract } from './search-settings.ts';
import { undoNotesContract } from './undo-notes.ts';
import { getUndoContract } from './get-undo.ts';
import { watchChangesContract } from './watch-changes.ts';
import { listProposalsContract } from './list-proposals.ts';
import { getProposalContract } from './get-proposal.ts';
import {
  acceptProposalContract,
  decideProposalsContract,
  rejectProposalContract,
} from './decide-proposals.ts';

export * from './diff-note.ts';
export * from './list-note-activity.ts';
export * from './author.ts';
export * from './blame-note.ts';
export * from './cancel-sync-job.ts';
export * from './count-note-changes.ts';
export * from './create-note.ts';
export * from './delete-note.ts';
export * from './get-context.ts';
export * from './edit-note.ts';
export * from './find-notes-by-title.ts';
export * from './get-note-by-path.ts';
export * from './get-note.ts';
export * from './get-revision.ts';
export * from './get-sync-job.ts';
export * from './list-labels.ts';
export * from './list-note-links.ts';
export * from './list-conflicts.ts';
export * from './list-notes.ts';
export * from './list-revisions.ts';
export * from './mcp.ts';
export * from './note-data.ts';
export * from './note-edit.ts';
export * from './note-input.ts';
export * from './note-limits.ts';
export * from './note-properties.ts';
export * from './note-receipt.ts';
export * from './note-revision.ts';
export * from './put-note-input.ts';
export * from './put-note.ts';
export * from './read-notes.ts';
export * from './resolve-conflict.ts';
export * from './restore-note.ts';
export * from './run-sync.ts';
export * from './search-settings.ts';
export * from './sync-digest.ts';
export * from './sync-job.ts';
export * from './sync-request.ts';
export * from './sync-result.ts';
export * from './undo.ts';
export * from './undo-notes.ts';
export * from './get-undo.ts';
export * from './watch-changes.ts';
export * from './ended-proposal.ts';
export * from './proposal.ts';
export * from './list-proposals.ts';
export * from './get-proposal.ts';
export * from './decide-proposals.ts';

/** Every public route of the notes service. */
export const notesRoutes: readonly RouteContract[] = [
  getContextContract,
  listNotesContract,
  listNoteActivityContract,
  countNoteChangesContract,
  listFoldersContract,
  listTagsContract,
  createNoteContract,
  getNoteByPathContract,
  findNotesByTitleContract,
  putNoteContract,
  editNoteContract,
  getNoteContract,
  readNotesContract,
  deleteNoteContract,
  restoreNoteContract,
  listNoteLinksContract,
  listConflictsContract,
  resolveConflictContract,
  listRevisionsContract,
  getRevisionContract,
  diffNoteContract,
  blameNoteContract,
  runSyncContract,
  getSyncJobContract,
  cancelSyncJobContract,
  undoNotesContract,
  getUndoContract,
  watchChangesContract,
  listProposalsContract,
  getProposalContract,
  acceptProposalContract,
  rejectProposalContract,
  decideProposalsContract,
  getSearchSettingsContract,
  putSearchSettingsContract,
  callMcpContract,
  callConnectMcpContract,
];
