import type { NoteRevision, NoteRevisionSummary } from '@commonplace/contracts/notes';
import type { RevisionRow } from '../queries/revision-row.ts';
import { presentAuthor } from './present-author.ts';

/** A version of a note without its text. */
export const presentRevisionSummary = (
  row: Omit<RevisionRow, 'content' | 'properties'>,
): NoteRevisionSummary => ({
  noteId: row.noteId,
  revision: row.revision,
  deleted: row.deleted,
  title: row.title,
  folder: row.folder,
  tags: row.tags,
  pinned: row.pinned,
  archived: row.archived,
  size: row.size,
  createdAt: row.createdAt.toISOString(),
  createdBy: presentAuthor({
    kind: row.createdByKind,
    id: row.createdById,
    runId: row.createdByRunId,
  }),
});

/** A version of a note in full. */
export const presentRevision = (row: RevisionRow): NoteRevision => ({
  ...presentRevisionSummary(row),
  content: row.content,
  properties: row.properties,
});
