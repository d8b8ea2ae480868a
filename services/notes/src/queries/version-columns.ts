import { plainArray, textArray, type CompanyTx } from '@commonplace/db';
import type { NoteRow } from './note-row.ts';

/** One new version of a note. */
export type VersionRow = {
  readonly note: NoteRow;
  /** About the bytes of the note in an answer. */
  readonly wireBytes: number;
  /** There was no note before it. */
  readonly isFirst: boolean;
  /** A batch may change a note several times; only the last version goes into notes.notes. */
  readonly isLast: boolean;
};

/** A column of versions that are on their way into the database. */
export type VersionColumn = { readonly name: string } & (
  | { readonly type: 'text'; readonly valueOf: (version: VersionRow) => string | null }
  | {
      readonly type: 'uuid' | 'integer' | 'bigint' | 'boolean' | 'timestamptz';
      readonly valueOf: (version: VersionRow) => string | number | boolean | null;
    }
);

/** An array within an array of arrays would have to be as long as its neighbours, so it goes as text. */
const arrayText = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;

/** What every version has, but for its times and authors. */
export const versionColumns: readonly VersionColumn[] = [
  { name: 'id', type: 'uuid', valueOf: ({ note }) => note.id },
  { name: 'revision', type: 'integer', valueOf: ({ note }) => note.revision },
  { name: 'change_no', type: 'bigint', valueOf: ({ note }) => note.changeNo },
  { name: 'title', type: 'text', valueOf: ({ note }) => note.title },
  { name: 'content', type: 'text', valueOf: ({ note }) => note.content },
  { name: 'folder', type: 'text', valueOf: ({ note }) => note.folder },
  { name: 'tags', type: 'text', valueOf: ({ note }) => arrayText(note.tags) },
  { name: 'pinned', type: 'boolean', valueOf: ({ note }) => note.pinned },
  { name: 'archived', type: 'boolean', valueOf: ({ note }) => note.archived },
  { name: 'properties', type: 'text', valueOf: ({ note }) => JSON.stringify(note.properties) },
  { name: 'size', type: 'integer', valueOf: ({ note }) => note.size },
  { name: 'snippet', type: 'text', valueOf: ({ note }) => note.snippet },
  { name: 'wire_bytes', type: 'integer', valueOf: ({ wireBytes }) => wireBytes },
  { name: 'conflict_of', type: 'uuid', valueOf: ({ note }) => note.conflictOf },
];

/** When and by whom a version was made. */
export const updateColumns: readonly VersionColumn[] = [
  { name: 'updated_at', type: 'timestamptz', valueOf: ({ note }) => note.updatedAt.toISOString() },
  { name: 'updated_by_kind', type: 'text', valueOf: ({ note }) => note.updatedByKind },
  { name: 'updated_by_id', type: 'uuid', valueOf: ({ note }) => note.updatedById },
  { name: 'updated_by_run_id', type: 'uuid', valueOf: ({ note }) => note.updatedByRunId },
];

/** Writes versions. */
export type InsertVersions = (tx: CompanyTx, versions: readonly VersionRow[]) => Promise<void>;

type Insertion = {
  readonly name: string;
  readonly columns: readonly VersionColumn[];
  /** What goes on after `with r as (...)`, of which each row is a version with these columns. */
  readonly statement: string;
};

/**
 * Makes the query that writes versions: one statement whatever their number, so that the text travels once.
 * It takes one array per column, which PostgreSQL reads in a third of the time it takes for JSON.
 */
export const versionsInsert = ({ name, columns, statement }: Insertion): InsertVersions => {
  const arrays = columns.map(({ type }, index) => `$${index + 2}::${type}[]`).join(', ');
  const names = columns.map((column) => column.name).join(', ');
  const text = `
    with r as materialized (select * from unnest(${arrays}) as r (${names})), ${statement}`;
  return async (tx, versions) => {
    const values = columns.map((column) =>
      column.type === 'text'
        ? textArray(versions.map(column.valueOf))
        : plainArray(versions.map(column.valueOf)),
    );
    await tx.query(text, [tx.companyId, ...values], name);
  };
};
