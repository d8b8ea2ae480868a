import type { CompanyParts } from '@commonplace/db';
import { feedColumns } from './feed-row.ts';
import { isPulled, pullValues, type PulledRow, type PullFrom } from './list-changes.ts';
import { noteColumns } from './note-row.ts';

/**
 * As `listChanges`, in parts as they arrive; the one row without changes has a note of nulls. For large
 * pages: with this statement, a page of one note took 46 µs of processor time more.
 */
export const listChangesInParts = (tx: CompanyParts, from: PullFrom): AsyncIterable<PulledRow[]> =>
  tx.query<PulledRow>(statement, pullValues(tx.companyId, from), 'notes: list changes in parts');

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
        where ${isPulled}
        order by c.change_no
        limit $5::integer + 1
      ) c
    ) c
  ) page
  left join lateral (
    select c.* from notes.notes c
    where ${isPulled} and c.change_no <= page.last_change_no
    order by c.change_no
    limit $5
  ) n on true
  where f.company_id = $1
`;
