import type { McpTool } from '../define-tool.ts';
import { deleteNote } from './delete-note.ts';
import { editNote } from './edit-note.ts';
import { getContext } from './get-context.ts';
import { listNotes } from './list-notes.ts';
import { noteHistory } from './note-history.ts';
import { readNote } from './read-note.ts';
import { recentChanges } from './recent-changes.ts';
import { restoreNote } from './restore-note.ts';
import { searchNotes } from './search-notes.ts';
import { whoami } from './whoami.ts';
import { writeNote } from './write-note.ts';

/** Every tool, in the fixed order of the list. */
export const tools: readonly McpTool[] = [
  getContext,
  searchNotes,
  readNote,
  listNotes,
  writeNote,
  editNote,
  deleteNote,
  restoreNote,
  recentChanges,
  noteHistory,
  whoami,
];
