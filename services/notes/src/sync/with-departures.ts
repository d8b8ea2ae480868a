import type { CompanyTx } from '@commonplace/db';
import type { Pull, PullFrom } from '../queries/changes.ts';
import { listDepartures } from '../queries/departures.ts';

/**
 * Adds to a page the notes that left the folders that the caller sees, in the order of the changes. They are read after
 * the page: what has moved since then is beyond its head, and belongs to a later page.
 */
export const withDepartures = async (
  tx: CompanyTx,
  { afterChangeNo, tombstonesAfter, known, limit }: PullFrom,
  page: Pull,
): Promise<Pull> => {
  const { feed, notes, hasMore } = page;
  const end = (hasMore ? notes.at(-1)?.changeNo : undefined) ?? feed.head;
  const after = Math.max(afterChangeNo, tombstonesAfter ?? feed.head);
  const departures = await listDepartures(tx, { after, upTo: end, known, limit: limit + 1 });
  if (departures.length === 0) {
    return page;
  }
  const all = [...notes, ...departures].toSorted((a, b) => a.changeNo - b.changeNo);
  return { feed, notes: all.slice(0, limit), hasMore: hasMore || all.length > limit };
};
