import type { CompanyTx } from '@commonplace/db';

export type PurgeBatch = { readonly before: Date; readonly limit: number };

/**
 * Removes the oldest tombstones, and moves the floor of the feed up to them: a cursor from before may
 * have missed their deletion. Gives how many. The revisions stay.
 *
 * The caller holds the lock of the feed, taken by an earlier statement: with an older snapshot a note
 * that was just brought back would still look deleted.
 */
export const deleteTombstones = async (
  tx: CompanyTx,
  { before, limit }: PurgeBatch,
): Promise<number> => {
  const [row] = await tx.query<{ count: number }>(
    `with old as (
       select n.id from notes.notes n
       where n.company_id = $1 and n.deleted_at < $2
       order by n.deleted_at
       limit $3
     ), gone as (
       delete from notes.notes n using old
       where n.company_id = $1 and n.id = old.id
       returning n.id, n.revision, n.change_no
     ), search as (
       delete from notes.note_search s using gone
       where s.company_id = $1 and s.note_id = gone.id
     ), purged as (
       insert into notes.purged_notes as p (company_id, note_id, revision)
       select $1, gone.id, gone.revision from gone
       on conflict (company_id, note_id) do update set revision = excluded.revision
     ), moved as (
       update notes.company_feed f set floor = greatest(f.floor, g.last)
       from (select max(change_no) as last from gone) g
       where f.company_id = $1 and g.last is not null
     )
     select count(*)::integer as count from gone`,
    [tx.companyId, before, limit],
  );
  return row?.count ?? 0;
};
