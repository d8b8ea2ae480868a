import type { CompanyTx } from '@commonplace/db';

/** Matches that are ranked at most; ranking that many takes about an eighth of a second. */
const rankedMax = 5_000;

/** What was ranked when a search began goes on so, as long as there are not many times as many. */
const rankedOnMax = 4 * rankedMax;

/**
 * The ids of the notes that match a full-text search; null: they are too many to be ranked. A search that
 * goes on from a rank may have found more than one that begins.
 */
export const listFoundIds = async (
  tx: CompanyTx,
  { q, goesOn }: { readonly q: string; readonly goesOn: boolean },
): Promise<string[] | null> => {
  const max = goesOn ? rankedOnMax : rankedMax;
  const rows = await tx.query<{ id: string }>(
    "select m.id from notes.match_notes(websearch_to_tsquery('simple', $1), $2) as m (id)",
    [q, max + 1],
  );
  return rows.length > max ? null : rows.map(({ id }) => id);
};
