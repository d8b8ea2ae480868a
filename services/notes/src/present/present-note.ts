import type { NoteData, NoteOrSummary, NoteSummary } from '@commonplace/contracts/notes';
import type { NoteRow } from '../queries/note-row.ts';
import { presentAuthor } from './present-author.ts';

/** A whole note. */
export const presentNote = (row: NoteRow): NoteData => ({
  ...presentSummary(row),
  content: row.content,
});

/** A note as a pull gives it: a tombstone comes without content. */
export const presentChange = (row: NoteRow): NoteOrSummary =>
  row.deletedAt === null ? presentNote(row) : presentSummary(row);

/** A note without its content. */
export const presentSummary = (row: Omit<NoteRow, 'content'>): NoteSummary => ({
  id: row.id,
  companyId: row.companyId,
  title: row.title,
  folder: row.folder,
  tags: row.tags,
  pinned: row.pinned,
  archived: row.archived,
  properties: row.properties,
  revision: row.revision,
  size: row.size,
  snippet: row.snippet,
  conflictOf: row.conflictOf,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  deletedAt: row.deletedAt?.toISOString() ?? null,
  createdBy: presentAuthor({
    kind: row.createdByKind,
    id: row.createdById,
    runId: row.createdByRunId,
  }),
  updatedBy: presentAuthor({
    kind: row.updatedByKind,
    id: row.updatedById,
    runId: row.updatedByRunId,
  }),
});

/** The headers of an answer that holds one note. It may be kept, but must be asked about each time. */
export const noteReplyHeaders = ({ revision }: Pick<NoteRow, 'revision'>) => ({
  ETag: `"${revision}"`,
  'Cache-Control': 'private, no-cache',
  Vary: 'Authorization, Cookie, X-Company-Id',
});
