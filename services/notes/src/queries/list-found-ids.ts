import type { CompanyTx } from '@commonplace/db';

/** Matches that are ranked at most; ranking that many takes about an eighth of a second. */
const rankedMax = 5_000;

/** The ids of the notes that match a full-text search; null: they are too many to be ranked. */
export const listFoundIds = async (tx: CompanyTx, q: string): Promise<string[] | null> => {
  const rows = await tx.query<{ id: string }>(
    "select m.id from notes.match_notes(websearch_to_tsquery('simple', $1), $2) as m (id)",
    [q, rankedMax + 1],
  );
  return rows.length > rankedMax ? null : rows.map(({ id }) => id);
};
