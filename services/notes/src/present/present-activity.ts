import type { Author, NoteActivity } from '@commonplace/contracts/notes';
import type { ActivityRow } from '../queries/activity.ts';
import { presentAuthor } from './present-note.ts';

/** Its authors have no names yet. */
export type UnnamedActivity = Omit<NoteActivity, 'author' | 'proposal'> & {
  readonly author: Author;
  readonly acceptance: ActivityRow['acceptance'];
};

/** A change of a note, with the lines it added and removed. */
export const presentActivity = (
  row: ActivityRow,
  lines: Pick<NoteActivity, 'linesAdded' | 'linesRemoved'> | undefined,
): UnnamedActivity => ({
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
  acceptance: row.acceptance,
  linesAdded: lines?.linesAdded ?? null,
  linesRemoved: lines?.linesRemoved ?? null,
});

/** What a field was before, if this version changed it. */
const changed = (before: string | null, now: string): string | null =>
  before === now ? null : before;
