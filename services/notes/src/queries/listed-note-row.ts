import { summaryColumns, type NoteRow } from './note-row.ts';

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
