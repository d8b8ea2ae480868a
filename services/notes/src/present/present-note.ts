import {
  readOnlyOf,
  type Author,
  type ListedNote,
  type NoteOrSummary,
  type NoteData,
  type NoteSummary,
  type NoteWindow,
  type NoteRevision,
  type NoteRevisionSummary,
  type ReadNote,
  type ReadOnlyFields,
  type SearchCorrection,
} from '@commonplace/contracts/notes';
import type { ListedNoteRow, NoteRow, StoredNote, Via } from '../queries/note-rows.ts';
import type { Provenance, RevisionRow } from '../queries/versions.ts';

type AuthorColumns = {
  readonly kind: Author['kind'];
  readonly id: string;
  readonly runId: string | null;
  /** Only versions have these three. */
  readonly keyId?: string | null;
  readonly connectionId?: string | null;
  readonly via?: Via | null;
};

/** An author in the format of the contract; `runId`, `keyId` and `connectionId` only if it was one, `via` only if it was MCP. */
export const presentAuthor = ({
  kind,
  id,
  runId,
  keyId = null,
  connectionId = null,
  via = null,
}: AuthorColumns): Author => ({
  kind,
  id,
  ...(runId === null ? {} : { runId: runId as NonNullable<Author['runId']> }),
  ...(keyId === null ? {} : { keyId: keyId as NonNullable<Author['keyId']> }),
  ...(connectionId === null
    ? {}
    : { connectionId: connectionId as NonNullable<Author['connectionId']> }),
  ...(via === null ? {} : { via }),
});

/** A note of a list; summaries and tombstones have no content, results of a search rank and excerpt. */
export const presentListedNote = (row: ListedNoteRow): ListedNote => ({
  ...presentSummary(row),
  ...(typeof row.content !== 'string' || row.deletedAt !== null ? {} : { content: row.content }),
  ...(row.conflictCopies > 0 && { conflictCopies: row.conflictCopies }),
  ...(row.rank === undefined ? {} : { rank: row.rank }),
  ...(row.excerpt === undefined ? {} : { excerpt: row.excerpt }),
  ...(row.passages === undefined ? {} : { passages: row.passages }),
  ...(row.explanation === undefined ? {} : { explanation: row.explanation }),
});

type Matched = {
  readonly matched?: 'all' | 'any';
  readonly corrections?: readonly SearchCorrection[];
  readonly ranking?: 'lexical' | 'hybrid';
};

/** How the notes of a search match, if it was one. */
export const presentMatched = ({ matched, corrections = [], ranking = 'lexical' }: Matched) => ({
  ...(matched && { matched }),
  ...(corrections.length > 0 && { corrections: [...corrections] }),
  ...(matched === 'any' && { ranking }),
});

/** A whole note. */
export const presentNote = (row: NoteRow): NoteData => ({
  ...presentSummary(row),
  content: row.content,
});

/** A window of a note: its content is `text`. */
export const presentNoteWindow = (
  row: NoteRow,
  { text, ...window }: NoteWindow & { readonly text: string },
): ReadNote => ({ ...presentSummary(row), content: text, window });

/** A note of a pull; a tombstone has no content, nor has a note that was read without it. */
export const presentChange = (row: StoredNote): NoteOrSummary =>
  row.deletedAt === null && row.content !== null
    ? { ...presentSummary(row), content: row.content }
    : { ...presentSummary(row), ...(row.reason ? { reason: row.reason } : {}) };

/** The fields of a note that no request sets. */
export const presentReadOnly = (row: Omit<NoteRow, 'content'>): ReadOnlyFields =>
  readOnlyOf(presentSummary(row));

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

/** The headers of a response with one note: cacheable, with revalidation each time. */
export const noteReplyHeaders = ({ revision }: Pick<NoteRow, 'revision'>) => ({
  ETag: `"${revision}"`,
  'Cache-Control': 'private, no-cache',
  Vary: 'Authorization, Cookie, X-Company-Id',
});

/** A version of a note without its text. */
export const presentRevisionSummary = (
  row: Omit<RevisionRow, 'content' | 'properties'> & Partial<Provenance>,
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
  createdBy: presentRevisionAuthor(row),
  ...(row.restoredFrom === null ? {} : { restoredFrom: row.restoredFrom }),
  ...(row.acceptance ? { proposal: row.acceptance } : {}),
  ...(row.undoes ? { undoes: { undoId: row.undoes.undoId, revisions: row.undoes.revisions } } : {}),
});

/** The author of a version, with the credential. */
export const presentRevisionAuthor = (row: RevisionAuthor): Author =>
  presentAuthor({
    kind: row.createdByKind,
    id: row.createdById,
    runId: row.createdByRunId,
    keyId: row.createdByKeyId,
    connectionId: row.createdByConnectionId,
    via: row.via,
  });

type RevisionAuthor = Pick<
  RevisionRow,
  | 'createdByKind'
  | 'createdById'
  | 'createdByRunId'
  | 'createdByKeyId'
  | 'createdByConnectionId'
  | 'via'
>;

/** A version of a note in full. */
export const presentRevision = (row: RevisionRow & Partial<Provenance>): NoteRevision => ({
  ...presentRevisionSummary(row),
  content: row.content,
  properties: row.properties,
});
