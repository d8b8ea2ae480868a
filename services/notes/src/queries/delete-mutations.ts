import type { CompanyTx } from '@commonplace/db';
import type { PurgeBatch } from './delete-tombstones.ts';

/** Forgets the oldest mutations; gives how many. A retry from before then is taken for a new change. */
export const deleteMutations = async (
  tx: CompanyTx,
  { before, limit }: PurgeBatch,
): Promise<number> => {
  const [row] = await tx.query<{ count: number }>(
    `with old as (
       select m.caller, m.client_id, m.mutation_id from notes.mutations m
       where m.company_id = $1 and m.created_at < $2
       order by m.created_at
       limit $3
       for update skip locked
     ), gone as (
       delete from notes.mutations m using old
       where m.company_id = $1 and m.caller = old.caller and m.client_id = old.client_id
         and m.mutation_id = old.mutation_id
       returning 1
     )
     select count(*)::integer as count from gone`,
    [tx.companyId, before, limit],
  );
  return row?.count ?? 0;
};
