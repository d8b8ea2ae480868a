import { diffNoteRoute } from './diff-note.ts';
import { listNoteActivityRoute } from './list-note-activity.ts';
import type { Route } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { blameNoteRoute } from './blame-note.ts';
import { cancelSyncJobRoute, getSyncJobRoute } from './sync-jobs.ts';
import { countNoteChangesRoute } from './count-note-changes.ts';
import { createNoteRoute } from './create-note.ts';
import { deleteNoteRoute } from './delete-note.ts';
import { getContextRoute } from './get-context.ts';
import { editNoteRoute } from './edit-note.ts';
import { findNotesByTitleRoute } from './find-notes-by-title.ts';
import { getNoteByPathRoute } from './get-note-by-path.ts';
import { getNoteRoute } from './get-note.ts';
import { getRevisionRoute } from './get-revision.ts';
import { listFoldersRoute, listTagsRoute } from './list-labels.ts';
import { listNoteLinksRoute } from './list-note-links.ts';
import { listConflictsRoute } from './list-conflicts.ts';
import { listNotesRoute } from './list-notes.ts';
import { listRevisionsRoute } from './list-revisions.ts';
import { putNoteRoute } from './put-note.ts';
import { readNotesRoute } from './read-notes.ts';
import { resolveConflictRoute } from './resolve-conflict.ts';
import { restoreNoteRoute } from './restore-note.ts';
import { runSyncRoute } from './run-sync.ts';
import { getSearchSettingsRoute, putSearchSettingsRoute } from './search-settings.ts';
import { getUndoRoute, undoNotesRoute } from './undos.ts';
import {
  acceptProposalRoute,
  decideProposalsRoute,
  getProposalRoute,
  listProposalsRoute,
  rejectProposalRoute,
} from './proposals.ts';
import { watchChangesRoute } from './watch-changes.ts';

/** Every route of the notes service. */
export const routes = (deps: Deps): readonly Route[] => [
  getContextRoute(deps),
  listNotesRoute(deps),
  listNoteActivityRoute(deps),
  countNoteChangesRoute(deps),
  listFoldersRoute(deps),
  listTagsRoute(deps),
  createNoteRoute(deps),
  getNoteByPathRoute(deps),
  findNotesByTitleRoute(deps),
  putNoteRoute(deps),
  editNoteRoute(deps),
  getNoteRoute(deps),
  readNotesRoute(deps),
  deleteNoteRoute(deps),
  restoreNoteRoute(deps),
  listNoteLinksRoute(deps),
  listConflictsRoute(deps),
  resolveConflictRoute(deps),
  listRevisionsRoute(deps),
  getRevisionRoute(deps),
  diffNoteRoute(deps),
  blameNoteRoute(deps),
  runSyncRoute(deps),
  getSyncJobRoute(deps),
  cancelSyncJobRoute(deps),
  undoNotesRoute(deps),
  getUndoRoute(deps),
  watchChangesRoute(deps),
  listProposalsRoute(deps),
  getProposalRoute(deps),
  acceptProposalRoute(deps),
  rejectProposalRoute(deps),
  decideProposalsRoute(deps),
  getSearchSettingsRoute(deps),
  putSearchSettingsRoute(deps),
];
