import type { CompanyId, NoteId } from '@commonplace/contracts/core';
import type { NotePassage, NoteProperties, SearchExplanation } from '@commonplace/contracts/notes';

/** The kind of an author. */
export type AuthorKind = 'agent' | 'operator';

/** How a version was written, other than by a request over HTTP. */
export type Via = 'mcp' | 'undo';

/** The writable columns of a note. */
export type WritableRow = {
  readonly title: string;
  readonly content: string;
  readonly folder: string;
  readonly tags: string[];
  readonly pinned: boolean;
  readonly archived: boolean;
  readonly properties: NoteProperties;
};

/** A row of notes.notes, with the names of `noteColumns`. */
export type NoteRow = WritableRow & {
  readonly id: NoteId;
  readonly companyId: CompanyId;
  readonly revision: number;
  readonly changeNo: number;
  readonly size: number;
  readonly snippet: string;
  readonly conflictOf: NoteId | null;
  readonly createdAt: Date;
  readonly createdByKind: AuthorKind;
  readonly createdById: string;
  readonly createdByRunId: string | null;
  readonly updatedAt: Date;
  readonly updatedByKind: AuthorKind;
  readonly updatedById: string;
  readonly updatedByRunId: string | null;
  readonly deletedAt: Date | null;
  /** Who sent this version exactly as it is stored, see `sentByOf`. */
  readonly sentBy: string | null;
  /** Of a deletion in a pull: the note is in no folder that the caller sees. */
  readonly reason?: 'not_granted';
};

/** A note whose content is null where it was too large to be read with it. */
export type StoredNote = Omit<NoteRow, 'content'> & { readonly content: string | null };

export const hasContent = <Note extends StoredNote>(note: Note): note is Note & NoteRow =>
  note.content !== null;

/** A note that is written, or read to be. */
export type WritableNote = StoredNote & {
  /** The first version whose text may be stored with the note only, as that of the newest one is; null: none is. */
  readonly textsFrom: number | null;
};

/** The columns that PostgreSQL returns as JSON text. */
type InJson = 'content' | 'properties' | 'createdAt' | 'updatedAt' | 'deletedAt';

/** A row of `noteColumnsInJson`: content and properties are JSON, times are JSON strings without quotes. */
export type NoteRowInJson = Omit<NoteRow, InJson> & {
  readonly content: string;
  readonly properties: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly deletedAt: string | null;
};

/** All columns of a note `n` but the content. */
export const summaryColumns = `
  n.id, n.company_id as "companyId", n.revision, n.change_no as "changeNo",
  n.title, n.folder, n.tags, n.pinned, n.archived, n.properties, n.size, n.snippet,
  n.conflict_of as "conflictOf",
  n.created_at as "createdAt", n.created_by_kind as "createdByKind",
  n.created_by_id as "createdById", n.created_by_run_id as "createdByRunId",
  n.updated_at as "updatedAt", n.updated_by_kind as "updatedByKind",
  n.updated_by_id as "updatedById", n.updated_by_run_id as "updatedByRunId",
  n.deleted_at as "deletedAt", n.sent_by as "sentBy"
`;

/** All columns of a note `n`. */
export const noteColumns = `${summaryColumns}, n.content`;

/** Content up to this size is read with its note: a second read would cost more. */
const inlineBytesMax = 16 * 1024;

/** The columns of a `WritableNote` `n`. */
export const writableColumns = `${summaryColumns}, n.texts_from as "textsFrom",
  case when n.size <= ${inlineBytesMax} then n.content end as content`;

/**
 * The columns of a note `n` in a streamed pull, with content as JSON and without that of a tombstone. PostgreSQL
 * escapes sixteen bytes at a time (since release 18), while this process writes earlier notes.
 */
export const noteColumnsInJson = `${summaryColumns},
  case when n.deleted_at is null then to_json(n.content) end as content`;

/** Approximate bytes of a page of full notes; the page ends with the note that exceeds them. */
export const pageBytesMax = 4 * 1024 * 1024;

/** A row of a list. Summaries, deleted notes and notes beyond the page's bytes have no content. */
export type ListedNoteRow = Omit<NoteRow, 'content'> & {
  readonly content?: string | null;
  /** Approximate bytes of the previous rows in the response. */
  readonly bytesBefore: number;
  /** Active conflict copies of the note that the transaction sees. */
  readonly conflictCopies: number;
  /** Search rank. */
  readonly rank?: number;
  /** The part of the content that matches a search. */
  readonly excerpt?: string;
  readonly passages?: NotePassage[];
  readonly explanation?: SearchExplanation;
};

export type NoteView = 'summary' | 'full';

/** The parameter $1 is the company. */
const conflictCopies = `(
  select count(*)::integer from notes.notes c
  where c.company_id = $1 and c.conflict_of = n.id and c.deleted_at is null) as "conflictCopies"`;

/**
 * The columns of a list of notes `n` in this order. PostgreSQL does not read the content of tombstones and of
 * notes beyond the page's bytes. The parameter $1 is the company.
 */
export const listedColumns = (view: NoteView, order: string): string => {
  const before = `coalesce(sum(n.wire_bytes) over (
    order by ${order} rows between unbounded preceding and 1 preceding), 0)`;
  return view === 'full'
    ? `${summaryColumns}, ${conflictCopies}, ${before} as "bytesBefore",
        case when ${before} < ${pageBytesMax} and n.deleted_at is null then n.content end as content`
    : `${summaryColumns}, ${conflictCopies}, 0 as "bytesBefore"`;
};
