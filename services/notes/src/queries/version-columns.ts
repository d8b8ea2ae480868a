import {
  bigintArray,
  booleanArray,
  integerArray,
  textArray,
  timeArray,
  uuidArray,
  type CompanyTx,
} from '@commonplace/db';
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
export type VersionColumn = {
  readonly name: string;
  /** What its array holds. */
  readonly type: string;
  /** What becomes of it before it is stored. */
  readonly storedAs?: string | undefined;
  readonly arrayOf: (versions: readonly VersionRow[]) => Buffer;
};

type ToArray<Value> = (values: readonly (Value | null)[]) => Buffer;

const columnOf =
  <Value>(type: string, toArray: ToArray<Value>, storedAs?: string) =>
  (name: string, valueOf: (version: VersionRow) => Value | null): VersionColumn => ({
    name,
    type,
    storedAs,
    arrayOf: (versions) => toArray(versions.map(valueOf)),
  });

export const uuid = columnOf('uuid', uuidArray);
export const text = columnOf('text', textArray);
export const time = columnOf('timestamptz', timeArray);
export const boolean = columnOf('boolean', booleanArray);
const integer = columnOf('integer', integerArray);
const bigint = columnOf('bigint', bigintArray);
const json = columnOf('text', textArray, 'json');
/** An array within an array of arrays would have to be as long as its neighbours, so it goes as text. */
const texts = columnOf('text', textArray, 'text[]');

const arrayText = (values: readonly string[]): string =>
  `{${values.map((value) => `"${value.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;

/** What every version has, but for its times and authors. */
export const versionColumns: readonly VersionColumn[] = [
  uuid('id', ({ note }) => note.id),
  integer('revision', ({ note }) => note.revision),
  bigint('change_no', ({ note }) => note.changeNo),
  text('title', ({ note }) => note.title),
  text('content', ({ note }) => note.content),
  text('folder', ({ note }) => note.folder),
  texts('tags', ({ note }) => arrayText(note.tags)),
  boolean('pinned', ({ note }) => note.pinned),
  boolean('archived', ({ note }) => note.archived),
  json('properties', ({ note }) => JSON.stringify(note.properties)),
  integer('size', ({ note }) => note.size),
  text('snippet', ({ note }) => note.snippet),
  integer('wire_bytes', ({ wireBytes }) => wireBytes),
  uuid('conflict_of', ({ note }) => note.conflictOf),
];

/** When and by whom a version was made. */
export const updateColumns: readonly VersionColumn[] = [
  time('updated_at', ({ note }) => note.updatedAt),
  text('updated_by_kind', ({ note }) => note.updatedByKind),
  uuid('updated_by_id', ({ note }) => note.updatedById),
  uuid('updated_by_run_id', ({ note }) => note.updatedByRunId),
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
  const stored = columns
    .map((column) => (column.storedAs ? `${column.name}::${column.storedAs}` : column.name))
    .join(', ');
  const statementText = `
    with r as materialized (select ${stored} from unnest(${arrays}) as r (${names})), ${statement}`;
  return async (tx, versions) => {
    const values = columns.map(({ arrayOf }) => arrayOf(versions));
    await tx.query(statementText, [tx.companyId, ...values], name);
  };
};
