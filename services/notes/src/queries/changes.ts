import type { CompanyId, NoteId } from '@commonplace/contracts/core';
import { plannedOnce, type CompanyTx, type CompanyStream } from '@commonplace/db';
import { feedColumns, type FeedRow } from './feed.ts';
import {
  noteColumnsInJson,
  summaryColumns,
  type NoteRow,
  type NoteRowInJson,
  type StoredNote,
} from './note-rows.ts';
import type { VersionName } from './version-texts.ts';

/** The start of a pull and what it leaves out. */
export type PullFrom = {
  readonly afterChangeNo: number;
  /** Deletions up to here are left out; null: up to the current head (the first page). */
  readonly tombstonesAfter: number | null;
  /** Change numbers the caller already knows. */
  readonly known: readonly number[];
  readonly limit: number;
  readonly bytesMax: number;
};

export type Pull<Note = StoredNote> = {
  readonly feed: FeedRow;
  readonly notes: Note[];
  readonly hasMore: boolean;
};

/**
 * Reads the feed and what changed up to its head, in one statement and so in one snapshot. A page ends after
 * `limit` notes or before the note that would exceed `bytesMax`; the first note always fits.
 * Null: the company has no feed yet. Content beyond `contentBytesMax` is not read, nor that of tombstones.
 */
export const listChanges = async (
  tx: CompanyTx,
  from: PullFrom,
  contentBytesMax: number = Number.MAX_SAFE_INTEGER,
): Promise<Pull | null> => {
  const rows = await plannedOnce(tx)<PulledRow>(
    statement,
    [...pullValues(tx.companyId, from), contentBytesMax],
    'notes.list-changes',
  );
  const [feed] = rows;
  // Without changes the only row contains just the feed.
  const notes = rows.filter((row) => row.id !== null);
  return feed ? { feed, notes, hasMore: notes.length < feed.candidates } : null;
};

/** A note with the feed and the number of candidates, counted up to `limit` + 1. */
type PulledRow = FeedRow & StoredNote & { readonly candidates: number };

/** The parameters of a pull: $1 to $6. */
const pullValues = (companyId: CompanyId, from: PullFrom) => [
  companyId,
  from.afterChangeNo,
  from.tombstonesAfter,
  from.known,
  from.limit,
  from.bytesMax,
];

/** The condition of a pull on notes `c` of a feed `f`. */
const isPulled = `
  c.company_id = $1 and c.change_no > $2 and c.change_no <= f.head
  and (c.deleted_at is null or c.change_no > coalesce($3, f.head))
  and c.change_no <> all ($4::bigint[])
`;

const statement = `
  select ${feedColumns}, n.candidates, ${summaryColumns},
    case when n.deleted_at is not null then '' when n.bytes <= $7 then n.content end as content
  from notes.company_feed f
  left join lateral (
    select c.*, count(*) over ()::integer as candidates,
      row_number() over (order by c.change_no) as place,
      sum(c.wire_bytes) over (order by c.change_no) as bytes
    from (
      select c.* from notes.notes c
      where ${isPulled}
      order by c.change_no
      limit $5::integer + 1
    ) c
  ) n on n.place <= $5 and (n.bytes <= $6 or n.place = 1)
  where f.company_id = $1
  order by n.change_no
`;

/** A note of a pull. */
export type StreamedRow = NoteRowInJson & {
  /** The JSON of a `FeedRow` in the first row, else null. One column costs less than five. */
  readonly feed: string | null;
  /** The row belongs to the next page: it only shows that there is one. */
  readonly isNextPage: boolean | null;
};

/**
 * As `listChanges`, streamed. Without changes, yields one row whose note columns are null. Includes the first
 * row of the next page, if there is one.
 */
export const streamChanges = (tx: CompanyStream, from: PullFrom): AsyncIterable<StreamedRow[]> =>
  tx.query<StreamedRow>(streamStatement, pullValues(tx.companyId, from), 'notes.stream-changes');

/*
 * Notes are read in index order and counted on the way: nothing is sorted, and the first is sent before the
 * second is read. The order is kept because they are joined to a single row. A page that ends by bytes
 * includes one more row.
 */
const streamStatement = `
  select case when n.place > 1 then null
      else (select row_to_json(feed) from (select ${feedColumns}) feed) end as feed,
    n.place > $5 or n.bytes > $6 and n.place > 1 as "isNextPage", ${noteColumnsInJson}
  from notes.company_feed f
  left join lateral (
    select c.*, row_number() over page as place, sum(c.wire_bytes) over page as bytes
    from (
      select c.* from notes.notes c
      where ${isPulled}
      order by c.change_no
      limit $5::integer + 1
    ) c
    window page as (order by c.change_no rows unbounded preceding)
  ) n on n.place <= 2 or n.bytes - n.wire_bytes <= $6
  where f.company_id = $1
`;

/** A note that is newer than the base of a change; `bytes`: the content size of both versions. */
export type StaleBase = {
  readonly id: NoteId;
  readonly base: number;
  readonly now: number;
  readonly bytes: number;
};

/** Those of the versions that are stored and no longer the newest of an active note. */
export const listStaleBases = (
  tx: CompanyTx,
  names: readonly VersionName[],
): Promise<StaleBase[]> =>
  tx.query<StaleBase>(
    `select n.id, w.revision as base, n.revision as now, n.size + v.size as bytes
     from unnest($2::uuid[], $3::integer[]) as w (id, revision)
     cross join lateral (
       select n.id, n.revision, n.size from notes.notes n
       where n.company_id = $1 and n.id = any (array[w.id])
         and n.revision > w.revision and n.deleted_at is null
       order by n.id
     ) n
     cross join lateral (
       select v.size from notes.note_revisions v
       where v.company_id = $1 and v.note_id = n.id and v.revision = any (array[w.revision])
       order by v.revision
     ) v`,
    [tx.companyId, names.map(({ id }) => id), names.map(({ revision }) => revision)],
    'notes.list-moved-notes',
  );

export type TombstonesOf = {
  readonly ids: readonly string[];
  /** The head of the pull that they are added to. */
  readonly upTo: number;
  /** Change numbers the caller already knows. */
  readonly known: readonly number[];
};

/** The deleted ones of these notes, without content. */
export const listTombstones = (
  tx: CompanyTx,
  { ids, upTo, known }: TombstonesOf,
): Promise<NoteRow[]> =>
  tx.query<NoteRow>(
    `select ${summaryColumns}, '' as content
     from notes.notes n
     where n.company_id = $1 and n.id = any ($2::uuid[]) and n.deleted_at is not null
       and n.change_no <= $3 and n.change_no <> all ($4::bigint[])
     order by n.id`,
    [tx.companyId, ids, upTo, known],
    'notes.list-tombstones',
  );
