import { routesIn } from '../routes-in.ts';
import * as activity from './activity.ts';
import * as conflicts from './conflicts.ts';
import * as context from './context.ts';
import * as decideProposals from './decide-proposals.ts';
import * as editNote from './edit-note.ts';
import * as links from './links.ts';
import * as lists from './lists.ts';
import * as mcp from './mcp.ts';
import * as notes from './notes.ts';
import * as proposals from './proposals.ts';
import * as readNotes from './read-notes.ts';
import * as revisions from './revisions.ts';
import * as runSync from './run-sync.ts';
import * as searchSettings from './search-settings.ts';
import * as undos from './undos.ts';
import * as watchChanges from './watch-changes.ts';

export * from './activity.ts';
export * from './author.ts';
export * from './conflicts.ts';
export * from './context.ts';
export * from './decide-proposals.ts';
export * from './edit-note.ts';
export * from './links.ts';
export * from './lists.ts';
export * from './mcp.ts';
export * from './note-data.ts';
export * from './note-edit.ts';
export * from './note-fields.ts';
export * from './note-input.ts';
export * from './note-limits.ts';
export * from './note-route.ts';
export * from './notes.ts';
export * from './proposals.ts';
export * from './read-notes.ts';
export * from './revisions.ts';
export * from './run-sync.ts';
export * from './search-settings.ts';
export * from './sync.ts';
export * from './undos.ts';
export * from './watch-changes.ts';

/** Every public route of the notes service. */
export const notesRoutes = routesIn(
  activity,
  conflicts,
  context,
  decideProposals,
  editNote,
  links,
  lists,
  mcp,
  notes,
  proposals,
  readNotes,
  revisions,
  runSync,
  searchSettings,
  undos,
  watchChanges,
);
