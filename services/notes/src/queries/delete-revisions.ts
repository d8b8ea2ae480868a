import type { CompanyTx } from '@commonplace/db';
import type { PurgeBatch } from './delete-tombstones.ts';

/**
 * Removes old versions; gives how many. Never the newest of a note, and none of a note that a living
 * copy is in conflict with: whoever settles the conflict may want to see how it came about.
 */
export const deleteRevisions = async (
  tx: CompanyTx,
  { before, limit }: PurgeBatch,
): Promise<number> => {
  const [row] = await tx.query<{ count: number }>(
    `with old as (
       select v.note_id, v.revision from notes.note_revisions v
       where v.company_id = $1 and v.created_at < $2
         and exists (
           select from notes.note_revisions w
           where w.company_id = $1 and w.note_id = v.note_id and w.revision > v.revision
         )
         and not exists (
           select from notes.notes c
           where c.company_id = $1 and c.conflict_of = v.note_id and c.deleted_at is null
         )
       limit $3
       for update skip locked
     ), gone as (
       delete from notes.note_revisions v using old
       where v.company_id = $1 and v.note_id = old.note_id and v.revision = old.revision
       returning 1
     )
     select count(*)::integer as count from gone`,
    [tx.companyId, before, limit],
  );
  return row?.count ?? 0;
};
