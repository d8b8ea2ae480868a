import { routesOf, type Route } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import * as blameNote from './blame-note.ts';
import * as countNoteChanges from './count-note-changes.ts';
import * as createNote from './create-note.ts';
import * as deleteNote from './delete-note.ts';
import * as diffNote from './diff-note.ts';
import * as editNote from './edit-note.ts';
import * as findNotesByTitle from './find-notes-by-title.ts';
import * as getContext from './get-context.ts';
import * as getNoteByPath from './get-note-by-path.ts';
import * as getNote from './get-note.ts';
import * as getRevision from './get-revision.ts';
import * as listBrokenLinks from './list-broken-links.ts';
import * as listConflicts from './list-conflicts.ts';
import * as listLabels from './list-labels.ts';
import * as listNoteActivity from './list-note-activity.ts';
import * as listNoteLinks from './list-note-links.ts';
import * as listNotes from './list-notes.ts';
import * as listRevisions from './list-revisions.ts';
import * as proposals from './proposals.ts';
import * as putNote from './put-note.ts';
import * as readNotes from './read-notes.ts';
import * as resolveConflict from './resolve-conflict.ts';
import * as restoreNote from './restore-note.ts';
import * as runSync from './run-sync.ts';
import * as searchSettings from './search-settings.ts';
import * as syncJobs from './sync-jobs.ts';
import * as undos from './undos.ts';
import * as watchChanges from './watch-changes.ts';

/** Every route of the service. */
export const routes = (deps: Deps): readonly Route[] =>
  routesOf(
    deps,
    blameNote,
    countNoteChanges,
    createNote,
    deleteNote,
    diffNote,
    editNote,
    findNotesByTitle,
    getContext,
    getNoteByPath,
    getNote,
    getRevision,
    listBrokenLinks,
    listConflicts,
    listLabels,
    listNoteActivity,
    listNoteLinks,
    listNotes,
    listRevisions,
    proposals,
    putNote,
    readNotes,
    resolveConflict,
    restoreNote,
    runSync,
    searchSettings,
    syncJobs,
    undos,
    watchChanges,
  );
