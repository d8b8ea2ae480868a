import { AppError } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import type { NoteFilters } from '../queries/note-filters.ts';
import type { ListedNoteRow, NoteView } from '../queries/note-rows.ts';
import { listRankedRows } from '../queries/ranked-search.ts';
import type { QueryMeaning } from './embeddings/query-meaning.ts';
import { pageOfRanking, type RankedPosition } from './page-of-ranking.ts';
import { explain } from './ranking/explain.ts';
import { rankNotes, type Ranking, type RankRequest } from './ranking/rank-notes.ts';
import { rankByMeaning } from './ranking/rank-by-meaning.ts';

/** A page of a ranked search. */
export type RankedPageRequest = Pick<RankRequest, 'q' | 'isRebuilding' | 'statistics'> & {
  readonly filters: NoteFilters;
  readonly view: NoteView;
  readonly limit: number;
  readonly after: RankedPosition | null;
  readonly isExplained: boolean;
  /** Null: notes are ranked by words alone. */
  readonly meaning: QueryMeaning | null;
};

export type RankedPage = {
  readonly rows: readonly ListedNoteRow[];
  readonly positionOf: (row: ListedNoteRow) => RankedPosition;
  readonly ranking: Ranking;
  readonly kind: 'lexical' | 'hybrid';
};

/** Reads a page of a ranked search; null: the query has no words. */
export const listRankedPage = async (
  tx: CompanyTx,
  { q, isRebuilding, statistics, filters, after, meaning, ...page }: RankedPageRequest,
): Promise<RankedPage | null> => {
  const areRowsWanted = page.view === 'summary';
  const byWords = await rankNotes(tx, { q, isRebuilding, statistics, filters, areRowsWanted });
  if (byWords === null) {
    return null;
  }
  const ranking = meaning ? await rankByMeaning(tx, byWords, { meaning, filters }) : byWords;
  const { notes, generation } = ranking;
  if (after && after[1] !== generation) {
    throw new AppError(
      'cursor_expired',
      'Words were counted again; search again without a cursor.',
    );
  }
  const isHybrid = meaning !== null || after?.[0] === 'hybrid';
  const { some, positionOf } = pageOfRanking(notes, { generation, isHybrid, after, ...page });
  const ids = some.map(({ id }) => id).filter((id) => !ranking.rows.has(id));
  const read = ids.length === 0 ? [] : await listRankedRows(tx, { ids, view: page.view });
  const rowOf = new Map([...ranking.rows, ...read.map((row) => [row.id, row] as const)]);
  const rows = some.flatMap((note) => {
    const row = rowOf.get(note.id);
    const explanation = page.isExplained ? explain(note, ranking) : null;
    return row ? [{ ...row, rank: note.score, ...(explanation && { explanation }) }] : [];
  });
  return {
    rows,
    ranking,
    positionOf,
    kind: meaning ? 'hybrid' : 'lexical',
  };
};
