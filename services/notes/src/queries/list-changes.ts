import type { CompanyId } from '@commonplace/contracts/core';
import type { CompanyParts, CompanyTx } from '@commonplace/db';
import { feedColumns, type FeedRow } from './feed-row.ts';
import { noteColumns, type NoteRow } from './note-row.ts';

/** Where a pull begins and what it leaves out. */
export type PullFrom = {
  readonly afterChangeNo: number;
  /** Deletions up to here are of no interest; null: up to the head of now (the first page). */
  readonly tombstonesAfter: number | null;
  /** Changes the caller knows already. */
  readonly known: readonly number[];
  readonly limit: number;
  readonly bytesMax: number;
};

export type Pull = { readonly feed: FeedRow; readonly notes: NoteRow[]; readonly hasMore: boolean };

/**
 * Reads the feed's head and what changed up to it, in one statement and so in one snapshot. A page
 * ends after `limit` notes or before the note that would pass `bytesMax`; the first note always fits.
 * Null: the company has no feed yet.
 */
export const listChanges = async (tx: CompanyTx, from: PullFrom): Promise<Pull | null> => {
  const rows = await tx.query<PulledRow>(statement, valuesOf(tx.companyId, from), name);
  const [feed] = rows;
  // Without changes the one row holds the feed alone.
  const notes = rows.filter((row) => row.id !== null);
  return feed ? { feed, notes, hasMore: notes.length < feed.candidates } : null;
};

/** As `listChanges`, in parts as they arrive; the one row without changes has a note of nulls. */
export const listChangesInParts = (tx: CompanyParts, from: PullFrom): AsyncIterable<PulledRow[]> =>
  tx.query<PulledRow>(statement, valuesOf(tx.companyId, from), name);

/** A note, and beside it the feed and how many notes there are, counted up to one more than `limit`. */
export type PulledRow = FeedRow & NoteRow & { readonly candidates: number };

const name = 'notes: list changes';

const valuesOf = (companyId: CompanyId, from: PullFrom) => [
  companyId,
  from.afterChangeNo,
  from.tombstonesAfter,
  from.known,
  from.limit,
  from.bytesMax,
];

const wanted = `
  c.company_id = $1 and c.change_no > $2 and c.change_no <= f.head
  and (c.deleted_at is null or c.change_no > coalesce($3, f.head))
  and c.change_no <> all ($4::bigint[])
`;

/*
 * Where the page ends is found out first, from two numbers of each note. The notes themselves then come
 * straight from the index: nothing is sorted, and the first leaves before the last is read. They keep the
 * order of the inner query, because the row they are joined to is the only one.
 */
const statement = `
  select ${feedColumns}, page.candidates, ${noteColumns}
  from notes.company_feed f
  cross join lateral (
    select count(*)::integer as candidates,
      max(c.change_no) filter (where c.place <= $5 and (c.bytes <= $6 or c.place = 1)) as last_change_no
    from (
      select c.change_no, row_number() over (order by c.change_no) as place,
        sum(c.wire_bytes) over (order by c.change_no) as bytes
      from (
        select c.change_no, c.wire_bytes from notes.notes c
        where ${wanted}
        order by c.change_no
        limit $5::integer + 1
      ) c
    ) c
  ) page
  left join lateral (
    select c.* from notes.notes c
    where ${wanted} and c.change_no <= page.last_change_no
    order by c.change_no
    limit $5
  ) n on true
  where f.company_id = $1
`;
