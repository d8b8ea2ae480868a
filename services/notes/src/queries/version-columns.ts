import { arrayText, forServer, type CompanyTx, type SqlValue } from '@commonplace/db';
import type { WritableNote, Via } from './note-rows.ts';

/** One new version of a note. */
export type VersionRow = {
  readonly note: WritableNote;
  /** Approximate bytes of the note in a response; 0 unless it is the last version. */
  readonly wireBytes: number;
  /** The version creates the note. */
  readonly isFirst: boolean;
  /** The last version of the note in the batch; only this one is written to notes.notes. */
  readonly isLast: boolean;
  /** False: the text is stored with the next version, or, of the last one, with the note only. */
  readonly hasText: boolean;
  /** The API key it was written with; null: a run, a session. */
  readonly keyId: string | null;
  /** The connection it was written with; null: any other credential. */
  readonly connectionId: string | null;
  /** The protocol it was written with; null: HTTP. */
  readonly via: Via | null;
  /** The earlier version that it restores; null: none. */
  readonly restoredFrom: number | null;
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
export const integerColumn = columnOf('integer');
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
  textColumn('content', ({ note, isLast, hasText }) => (isLast || hasText ? note.content : null)),
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

/** Time and author of a version, and how it came. */
export const updateColumns: readonly VersionColumn[] = [
  timeColumn('updated_at', ({ note }) => note.updatedAt),
  textColumn('updated_by_kind', ({ note }) => note.updatedByKind),
  uuidColumn('updated_by_id', ({ note }) => note.updatedById),
  uuidColumn('updated_by_run_id', ({ note }) => note.updatedByRunId),
  uuidColumn('key_id', ({ keyId }) => keyId),
  uuidColumn('connection_id', ({ connectionId }) => connectionId),
  textColumn('via', ({ via }) => via),
  textColumn('sent_by', ({ note }) => note.sentBy),
];

/** Inserts versions. */
export type InsertVersions = (tx: CompanyTx, versions: readonly VersionRow[]) => Promise<void>;

/** What the rows of versions `r` are selected from, with a condition that more may follow; and their company. */
type VersionSource = { readonly from: string; readonly company: string };

type Insertion = {
  readonly name: string;
  readonly columns: readonly VersionColumn[];
  /** The statements that insert into the two tables. */
  readonly revisions: (source: VersionSource) => string;
  readonly notes: (source: VersionSource) => string;
};

/** The rows of versions, unnested in `from`: Citus cannot insert sets of a select list. */
const rowsFrom = (columns: readonly VersionColumn[]): string => `
  select ${columns.map(({ name, type, castTo = type }) => `v.${name}::${castTo}`).join(', ')}
  from unnest(${columns.map(({ type }, index) => `$${index + 2}::${type}[]`).join(', ')})
    as v (${columns.map(({ name }) => name).join(', ')})`;

/**
 * Creates an insert of any number of versions in one statement, so that each text is sent once. It takes one
 * array per column, which PostgreSQL reads in a third of the time of JSON. They are unnested in the select list,
 * because `unnest` in `from` copies each array first.
 *
 * On Citus these are two statements, because it refuses one that writes two tables. By the row of the feed it knows the
 * node.
 */
export const versionsInsert = ({ name, columns, ...insert }: Insertion): InsertVersions => {
  const unnested = columns.map(({ name: column, type, castTo = type }, index) => {
    const value = `unnest($${index + 2}::${type}[])`;
    return `${value}::${castTo} as ${column}`;
  });
  const rows = `select ${unnested.join(', ')}`;
  const plain = { from: 'r where true', company: '$1' };
  const text = `with r as materialized (${rows}), revisions as (${insert.revisions(plain)})
    ${insert.notes(plain)}`;
  const distributed = {
    from: `notes.company_feed f cross join (${rowsFrom(columns)}) r where f.company_id = $1`,
    company: 'f.company_id',
  };
  const texts = [insert.revisions(distributed), insert.notes(distributed)];
  return async (tx, versions) => {
    const values = [tx.companyId, ...columns.map(({ valueOf }) => versions.map(valueOf))];
    const insertion = forServer<() => Promise<unknown>>(tx, {
      plain: () => tx.query(text, values, name),
      citus: () =>
        Promise.all(texts.map((each, index) => tx.query(each, values, `${name} ${index + 1}`))),
    });
    await insertion();
  };
};
