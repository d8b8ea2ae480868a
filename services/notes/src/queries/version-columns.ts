import {
  arrayText,
  bigintArray,
  booleanArray,
  integerArray,
  textArray,
  timeArray,
  uuidArray,
  type CompanyTx,
} from '@commonplace/db';
import type { StoredNote } from './note-rows.ts';

/** One new version of a note. */
export type VersionRow = {
  readonly note: StoredNote;
  /** About the bytes of the note in an answer. */
  readonly wireBytes: number;
  /** There was no note before it. */
  readonly isFirst: boolean;
  /** A batch may change a note several times; only the last version goes into notes.notes. */
  readonly isLast: boolean;
};

/** A column of versions that are on their way into the database. */
export type VersionColumn = {
  readonly name: string;
  /** What its array holds. */
  readonly type: string;
  /** What its values are cast to before they are stored. */
  readonly castTo?: string | undefined;
  readonly arrayOf: (versions: readonly VersionRow[]) => Buffer;
};

type ToArray<Value> = (values: readonly (Value | null)[]) => Buffer;

const columnOf =
  <Value>(type: string, toArray: ToArray<Value>, castTo?: string) =>
  (name: string, valueOf: (version: VersionRow) => Value | null): VersionColumn => ({
    name,
    type,
    castTo,
    arrayOf: (versions) => toArray(versions.map(valueOf)),
  });

export const uuidColumn = columnOf('uuid', uuidArray);
export const textColumn = columnOf('text', textArray);
export const timeColumn = columnOf('timestamptz', timeArray);
export const booleanColumn = columnOf('boolean', booleanArray);
const integerColumn = columnOf('integer', integerArray);
const bigintColumn = columnOf('bigint', bigintArray);
const jsonColumn = columnOf('text', textArray, 'json');
/** An array within an array of arrays would have to be as long as its neighbours, so it goes as text. */
const textsColumn = columnOf('text', textArray, 'text[]');

/** What every version has, but for its times and authors. */
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

/** When and by whom a version was made. */
export const updateColumns: readonly VersionColumn[] = [
  timeColumn('updated_at', ({ note }) => note.updatedAt),
  textColumn('updated_by_kind', ({ note }) => note.updatedByKind),
  uuidColumn('updated_by_id', ({ note }) => note.updatedById),
  uuidColumn('updated_by_run_id', ({ note }) => note.updatedByRunId),
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
 * It takes one array per column, which PostgreSQL reads in a third of the time it takes for JSON. They are
 * unnested as columns and not as a table, for which each would be copied first.
 */
export const versionsInsert = ({ name, columns, statement }: Insertion): InsertVersions => {
  const unnested = columns.map(({ name: column, type, castTo = type }, index) => {
    const value = `unnest($${index + 2}::${type}[])`;
    return `${value}::${castTo} as ${column}`;
  });
  const statementText = `with r as materialized (select ${unnested.join(', ')}), ${statement}`;
  return async (tx, versions) => {
    const values = columns.map(({ arrayOf }) => arrayOf(versions));
    await tx.query(statementText, [tx.companyId, ...values], name);
  };
};
