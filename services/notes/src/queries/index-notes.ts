import type { CompanyTx } from '@commonplace/db';

/**
 * Indexes the next notes that changed after a position, and moves the position on; gives how many.
 * Deleted notes stay in the index: lists of deleted notes are searched too.
 */
export const indexNotes = async (
  tx: CompanyTx,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<number> => {
  const [row] = await tx.query<{ count: number }>(
    `with changed as materialized (
       select n.id, n.change_no, notes.search_document(n.title, n.content) as document
       from notes.notes n
       where n.company_id = $1 and n.change_no > $2
       order by n.change_no
       limit $3
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
     select count(*)::integer as count from changed`,
    [tx.companyId, after, limit],
  );
  return row?.count ?? 0;
};
