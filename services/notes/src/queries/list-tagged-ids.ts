import type { CompanyTx } from '@commonplace/db';

/** Looking up more notes than this one by one costs more than meeting them on the way. */
const taggedMax = 1_000;

/** The ids of the notes that have all these tags; null: they are too many to look up one by one. */
export const listTaggedIds = async (
  tx: CompanyTx,
  tags: readonly string[],
): Promise<string[] | null> => {
  const rows = await tx.query<{ id: string }>(
    'select t.id from notes.match_tags($1::text[], $2) as t (id)',
    [tags, taggedMax + 1],
  );
  return rows.length > taggedMax ? null : rows.map(({ id }) => id);
};
