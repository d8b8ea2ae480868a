import type { CompanyId, NoteId } from '@commonplace/contracts/core';
import type { NoteProperties } from '@commonplace/contracts/notes';

/** The columns that say who wrote something. */
export type AuthorKind = 'agent' | 'operator';

/** What a client can write of a note, as a row holds it. */
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
};

/** A note as writers have it: of a large one the content is null unless somebody needed it. */
export type StoredNote = Omit<NoteRow, 'content'> & { readonly content: string | null };

export const hasContent = (note: StoredNote): note is NoteRow => note.content !== null;

/** The columns that are read as they are in JSON, where a row becomes JSON without more ado. */
type InJson = 'content' | 'properties' | 'createdAt' | 'updatedAt' | 'deletedAt';

/** A row of `noteColumnsInJson`: content and properties are JSON, instants what is between the quotes there. */
export type NoteRowInJson = Omit<NoteRow, InJson> & {
  readonly content: string;
  readonly properties: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly deletedAt: string | null;
};

/** Everything but the content, of a note called `n`. */
export const summaryColumns = `
  n.id, n.company_id as "companyId", n.revision, n.change_no as "changeNo",
  n.title, n.folder, n.tags, n.pinned, n.archived, n.properties, n.size, n.snippet,
  n.conflict_of as "conflictOf",
  n.created_at as "createdAt", n.created_by_kind as "createdByKind",
  n.created_by_id as "createdById", n.created_by_run_id as "createdByRunId",
  n.updated_at as "updatedAt", n.updated_by_kind as "updatedByKind",
  n.updated_by_id as "updatedById", n.updated_by_run_id as "updatedByRunId",
  n.deleted_at as "deletedAt"
`;

/** A whole note called `n`. */
export const noteColumns = `${summaryColumns}, n.content`;

/** Content up to here is read with its note: to ask for it afterwards would cost more than it does. */
const inlineBytesMax = 16 * 1024;

/** A `StoredNote` called `n`. */
export const storedColumns = `${summaryColumns},
  case when n.size <= ${inlineBytesMax} then n.content end as content`;

/** A note called `n` as a pull gives it: a tombstone keeps its content, which nobody is sent. */
export const changeColumns = `${summaryColumns},
  case when n.deleted_at is null then n.content else '' end as content`;

/**
 * As `changeColumns`, with content that is JSON. PostgreSQL looks for what must be escaped in sixteen bytes at
 * once (since release 18), and does so while we write the notes before.
 */
export const noteColumnsInJson = `${summaryColumns},
  case when n.deleted_at is null then to_json(n.content) end as content`;

/** Bytes of full notes in one page, about; a page ends with the note that passes them. */
export const pageBytesMax = 4 * 1024 * 1024;

/** A row of a list; a summary has no content, and neither has what is beyond the bytes of a page, or deleted. */
export type ListedNoteRow = Omit<NoteRow, 'content'> & {
  readonly content?: string | null;
  /** About the bytes that the rows before this one take in the answer. */
  readonly bytesBefore: number;
  /** How well it matches, in a search. */
  readonly rank?: number;
};

export type NoteView = 'summary' | 'full';

/**
 * The columns of a list of notes called `n`, and what comes before each in the order given. PostgreSQL does not
 * even read the content of tombstones, and of what is beyond the bytes of a page.
 */
export const listedColumns = (view: NoteView, order: string): string => {
  const before = `coalesce(sum(n.wire_bytes) over (
    order by ${order} rows between unbounded preceding and 1 preceding), 0)`;
  return view === 'full'
    ? `${summaryColumns}, ${before} as "bytesBefore",
        case when ${before} < ${pageBytesMax} and n.deleted_at is null then n.content end as content`
    : `${summaryColumns}, 0 as "bytesBefore"`;
};
