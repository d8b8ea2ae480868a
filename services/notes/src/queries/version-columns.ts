import { arrayText, type CompanyTx, type SqlValue } from '@commonplace/db';
import type { StoredNote } from './note-rows.ts';

/** One new version of a note. */
export type VersionRow = {
  readonly note: StoredNote;
  /** Approximate bytes of the note in a response; 0 unless it is the last version. */
  readonly wireBytes: number;
  /** The version creates the note. */
  readonly isFirst: boolean;
  /** The last version of the note in the batch; only this one is written to notes.notes. */
  readonly isLast: boolean;
};

/** A column of the inserted versions. */
export type VersionColumn = {
  readonly name: string;
  /** The element type of the array parameter. */
  readonly type: string;
  /** The type the elements are cast to. */
  readonly castTo?: string | undefined;
  readonly valueOf: (version: VersionRow) => SqlValue;
};

const columnOf =
  (type: string, castTo?: string) =>
  (name: string, valueOf: (version: VersionRow) => SqlValue): VersionColumn => ({
    name,
    type,
    castTo,
    valueOf,
  });

export const uuidColumn = columnOf('uuid');
export const textColumn = columnOf('text');
export const timeColumn = columnOf('timestamptz');
export const booleanColumn = columnOf('boolean');
const integerColumn = columnOf('integer');
const bigintColumn = columnOf('bigint');
const jsonColumn = columnOf('text', 'json');
/** Nested arrays must have equal lengths in PostgreSQL, so they are sent as text. */
const textsColumn = columnOf('text', 'text[]');

/** The columns of every version but times and authors. */
export const versionColumns: readonly VersionColumn[] = [
  uuidColumn('id', ({ note }) => note.id),
  integerColumn('revision', ({ note }) => note.revision),
  bigintColumn('change_no', ({ note }) => note.changeNo),
  textColumn('title', ({ note }) => note.title),
  textColumn('content', ({ note }) => note.content),
  textColumn('folder', ({ note }) => note.folder),
  textsColumn('tags', ({ note }) => arrayText(note.tags)),
  booleanColumn('pinned', ({ note }) => note.pinned),
  booleanColumn('archived', ({ note }) => note.archived),
  jsonColumn('properties', ({ note }) => JSON.stringify(note.properties)),
  integerColumn('size', ({ note }) => note.size),
  textColumn('snippet', ({ note }) => note.snippet),
  integerColumn('wire_bytes', ({ wireBytes }) => wireBytes),
  uuidColumn('conflict_of', ({ note }) => note.conflictOf),
];

/** Time and author of a version. */
export const updateColumns: readonly VersionColumn[] = [
  timeColumn('updated_at', ({ note }) => note.updatedAt),
  textColumn('updated_by_kind', ({ note }) => note.updatedByKind),
  uuidColumn('updated_by_id', ({ note }) => note.updatedById),
  uuidColumn('updated_by_run_id', ({ note }) => note.updatedByRunId),
];

/** Inserts versions. */
export type InsertVersions = (tx: CompanyTx, versions: readonly VersionRow[]) => Promise<void>;

type Insertion = {
  readonly name: string;
  readonly columns: readonly VersionColumn[];
  /** Follows `with r as (...)`, whose rows are the versions with these columns. */
  readonly statement: string;
};

/**
 * Creates an insert of any number of versions in one statement, so that each text is sent once. It takes one
 * array per column, which PostgreSQL reads in a third of the time of JSON. They are unnested in the select list,
 * because `unnest` in `from` copies each array first.
 */
export const versionsInsert = ({ name, columns, statement }: Insertion): InsertVersions => {
  const unnested = columns.map(({ name: column, type, castTo = type }, index) => {
    const value = `unnest($${index + 2}::${type}[])`;
    return `${value}::${castTo} as ${column}`;
  });
  const statementText = `with r as materialized (select ${unnested.join(', ')}), ${statement}`;
  return async (tx, versions) => {
    const values = columns.map(({ valueOf }) => versions.map(valueOf));
    await tx.query(statementText, [tx.companyId, ...values], name);
  };
};
