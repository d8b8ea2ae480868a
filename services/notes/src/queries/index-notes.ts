import type { CompanyTx } from '@commonplace/db';

/** What is indexed at once: so many notes, of so many bytes of content together, and at least one. */
export type IndexPart = {
  readonly after: number;
  readonly limit: number;
  readonly bytesMax: number;
};

/** Of one content no more than this is indexed (`notes.search_document`). */
const indexedBytesMax = 256 * 1024;

/**
 * Indexes the next notes that changed after a position, and moves the position on; gives whether more may be left.
 * Deleted notes stay in the index: lists of deleted notes are searched too.
 */
export const indexNotes = async (
  tx: CompanyTx,
  { after, limit, bytesMax }: IndexPart,
): Promise<boolean> => {
  const [row] = await tx.query<{ hasMore: boolean }>(
    `with next as materialized (
       select n.id, n.change_no, row_number() over part as place,
         sum(least(n.size, ${indexedBytesMax})) over part as bytes
       from (
         select n.id, n.change_no, n.size from notes.notes n
         where n.company_id = $1 and n.change_no > $2
         order by n.change_no
         limit $3
       ) n
       window part as (order by n.change_no rows unbounded preceding)
     ), changed as materialized (
       select n.id, n.change_no, notes.search_document(n.title, n.content) as document
       from next
       cross join lateral (
         select n.id, n.change_no, n.title, n.content from notes.notes n
         where n.company_id = $1 and n.change_no = any (array[next.change_no])
         order by n.change_no
       ) n
       where next.place = 1 or next.bytes <= $4
     ), documents as (
       insert into notes.note_search as s (company_id, note_id, document)
       select $1, c.id, c.document from changed c
       on conflict (company_id, note_id) do update set document = excluded.document
         where s.document is distinct from excluded.document
     ), progress as (
       update notes.search_progress p set change_no = c.last
       from (select max(change_no) as last from changed) c
       where p.company_id = $1 and c.last is not null
     )
     select (select count(*) from changed) < (select count(*) from next)
       or (select count(*) from next) = $3 as "hasMore"`,
    [tx.companyId, after, limit, bytesMax],
  );
  return row?.hasMore ?? false;
};
