import { AppError, type NoteId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import type { NoteFilters } from '../queries/note-filters.ts';
import type { ListedNoteRow, NoteView } from '../queries/note-rows.ts';
import { listRankedRows } from '../queries/ranked-search.ts';
import { explain } from './ranking/explain.ts';
import { rankNotes, type Ranking, type RankRequest } from './ranking/rank-notes.ts';

/** Where a page of a ranked search ended: the generation of the statistics, how many notes before it, and the last. */
export type RankedPosition = [kind: 'best', generation: number, before: number, id: NoteId];

/** A page of a ranked search. */
export type RankedPageRequest = Pick<RankRequest, 'q' | 'isRebuilding' | 'statistics'> & {
  readonly filters: NoteFilters;
  readonly view: NoteView;
  readonly limit: number;
  readonly after: RankedPosition | null;
  readonly isExplained: boolean;
};

export type RankedPage = {
  readonly rows: readonly ListedNoteRow[];
  readonly positionOf: (row: ListedNoteRow) => RankedPosition;
  readonly ranking: Ranking;
};

/** Reads a page of a ranked search; null: the query has no words. */
export const listRankedPage = async (
  tx: CompanyTx,
  { q, isRebuilding, statistics, filters, after, ...page }: RankedPageRequest,
): Promise<RankedPage | null> => {
  const ranking = await rankNotes(tx, { q, isRebuilding, statistics, filters });
  if (ranking === null) {
    return null;
  }
  const { notes, generation } = ranking;
  if (after && after[1] !== generation) {
    throw new AppError('cursor_expired', 'Words were counted anew; search again without a cursor.');
  }
  // The last note may be deleted by now, or have another place.
  const found = after ? notes.findIndex(({ id }) => id === after[3]) : -1;
  const from = after ? (found === -1 ? after[2] : found + 1) : 0;
  const some = notes.slice(from, from + page.limit);
  const ids = some.map(({ id }) => id);
  const read = ids.length === 0 ? [] : await listRankedRows(tx, { ids, view: page.view });
  const rowOf = new Map(read.map((row) => [row.id, row]));
  const places = new Map(some.map(({ id }, index) => [id, from + index + 1]));
  const rows = some.flatMap((note) => {
    const row = rowOf.get(note.id);
    const explanation = page.isExplained ? explain(note, ranking) : null;
    return row ? [{ ...row, rank: note.score, ...(explanation && { explanation }) }] : [];
  });
  return {
    rows,
    ranking,
    positionOf: ({ id }) => ['best', generation, places.get(id) ?? from, id],
  };
};
