import type { Author, NoteActivity } from '@commonplace/contracts/notes';
import type { ActivityRow } from '../queries/activity.ts';
import { presentAuthor } from './present-note.ts';

/** A change of a note, with the lines it added and removed; its author has no name yet. */
export const presentActivity = (
  row: ActivityRow,
  lines: Pick<NoteActivity, 'linesAdded' | 'linesRemoved'> | undefined,
): Omit<NoteActivity, 'author'> & { readonly author: Author } => ({
  noteId: row.noteId,
  title: row.title,
  folder: row.folder,
  previousTitle: changed(row.titleBefore, row.title),
  previousFolder: changed(row.folderBefore, row.folder),
  revision: row.revision,
  deleted: row.deleted,
  at: row.createdAt.toISOString(),
  author: presentAuthor({
    kind: row.createdByKind,
    id: row.createdById,
    runId: row.createdByRunId,
    keyId: row.createdByKeyId,
    connectionId: row.createdByConnectionId,
    via: row.via,
  }),
  linesAdded: lines?.linesAdded ?? null,
  linesRemoved: lines?.linesRemoved ?? null,
});

/** What a field was before, if this version changed it. */
const changed = (before: string | null, now: string): string | null =>
  before === now ? null : before;
