import type { CompanyId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { feedColumns, type FeedRow } from './feed-row.ts';
import { changeColumns, type NoteRow } from './note-row.ts';

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
  const rows = await tx.query<PulledRow>(
    statement,
    pullValues(tx.companyId, from),
    'notes: list changes',
  );
  const [feed] = rows;
  // Without changes the one row holds the feed alone.
  const notes = rows.filter((row) => row.id !== null);
  return feed ? { feed, notes, hasMore: notes.length < feed.candidates } : null;
};

/** A note, and beside it the feed and how many notes there are, counted up to one more than `limit`. */
type PulledRow = FeedRow & NoteRow & { readonly candidates: number };

/** The parameters of a pull: $1 to $6. */
export const pullValues = (companyId: CompanyId, from: PullFrom) => [
  companyId,
  from.afterChangeNo,
  from.tombstonesAfter,
  from.known,
  from.limit,
  from.bytesMax,
];

/** Which notes `c` a pull is about, in a feed `f`. */
export const isPulled = `
  c.company_id = $1 and c.change_no > $2 and c.change_no <= f.head
  and (c.deleted_at is null or c.change_no > coalesce($3, f.head))
  and c.change_no <> all ($4::bigint[])
`;

const statement = `
  select ${feedColumns}, n.candidates, ${changeColumns}
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
