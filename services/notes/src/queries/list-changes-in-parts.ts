import type { CompanyParts } from '@commonplace/db';
import { feedColumns } from './feed-row.ts';
import { isPulled, pullValues, type PullFrom } from './list-changes.ts';
import { noteColumnsInJson, type NoteRowInJson } from './note-row.ts';

/** A note of a pull. */
export type PartRow = NoteRowInJson & {
  /** Beside the first note, and where there is none: the JSON of a `FeedRow`. One column is less than its five. */
  readonly feed: string | null;
  /** The page ends before it: it only tells that there is more. */
  readonly isBeyond: boolean | null;
};

/**
 * As `listChanges`, in parts as they arrive; the one row without changes has a note of nulls. The row after
 * the last of the page comes as well, where there is one.
 */
export const listChangesInParts = (tx: CompanyParts, from: PullFrom): AsyncIterable<PartRow[]> =>
  tx.query<PartRow>(statement, pullValues(tx.companyId, from), 'notes: list changes in parts');

/*
 * The notes come straight from the index, and are counted as they pass: nothing is sorted, and the first
 * leaves before the second is read. They keep the order they are counted in, because the row they are joined
 * to is the only one. Where the page ends by its bytes, one more is let through.
 */
const statement = `
  select case when n.place > 1 then null
      else (select row_to_json(feed) from (select ${feedColumns}) feed) end as feed,
    n.place > $5 or n.bytes > $6 and n.place > 1 as "isBeyond", ${noteColumnsInJson}
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
