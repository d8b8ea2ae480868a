import { noteColumns, summaryColumns, type NoteRow } from './note-row.ts';

/** A row of a list; a summary has no content. */
export type ListedNoteRow = Omit<NoteRow, 'content'> & {
  readonly content?: string;
  /** About the bytes that the rows before this one take in the answer. */
  readonly bytesBefore: number;
  /** How well it matches, in a search. */
  readonly rank?: number;
};

export type NoteView = 'summary' | 'full';

/** The columns of a list of notes called `n`, and what comes before each in the order given. */
export const listedColumns = (view: NoteView, order: string): string =>
  view === 'full'
    ? `${noteColumns}, coalesce(sum(n.wire_bytes) over (
        order by ${order} rows between unbounded preceding and 1 preceding), 0) as "bytesBefore"`
    : `${summaryColumns}, 0 as "bytesBefore"`;
