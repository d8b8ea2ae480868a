import type { CompanyTx } from '@commonplace/db';
import { listedColumns, type ListedNoteRow, type NoteView } from './note-rows.ts';
import { binder, noteConditions, type NoteFilters } from './note-filters.ts';
import type { PagePosition } from './list-notes.ts';

/**
 * Most matches that are ranked; ranking 5,000 takes about an eighth of a second. A prefix is searched with every letter that
 * is typed, and its documents are compared with the prefix itself, which takes twice as long.
 */
const rankedMax = { words: 5_000, prefix: 1_000 } as const;

/** For later pages, so that a ranked search stays ranked while matches grow. */
const continuedFactor = 4;

type IdSearch = {
  readonly tsQueries: readonly string[];
  readonly match: keyof typeof rankedMax;
  readonly isContinued: boolean;
  /** Whether probably more than so many match, where finding them is costly; null: it is not. */
  readonly isProbablyMore: ((most: number) => Promise<boolean>) | null;
};

/**
 * The ids of the notes that match any of these queries; null: too many to rank. `isContinued`: a later page of a
 * ranked search, which may have more matches.
 */
export const searchNoteIds = async (
  tx: CompanyTx,
  { tsQueries, match, isContinued, isProbablyMore }: IdSearch,
): Promise<string[] | null> => {
  const max = rankedMax[match] * (isContinued ? continuedFactor : 1);
  if (isProbablyMore && !isContinued) {
    const first = await listMatches(tx, tsQueries, fewMax);
    if (first.length < fewMax) {
      return [...new Set(first)];
    }
    if (await isProbablyMore(max)) {
      return null;
    }
  }
  const ids = await listMatches(tx, tsQueries, max + 1);
  return ids.length > max ? null : [...new Set(ids)];
};

/** Matches that are found before a sample is read to see whether there are too many. */
const fewMax = 500;

const listMatches = async (
  tx: CompanyTx,
  tsQueries: readonly string[],
  limit: number,
): Promise<string[]> => {
  const rows = await tx.query<{ id: string }>(
    `select m.id from unnest($1::text[]) as q (query)
     cross join lateral notes.match_notes(q.query::tsquery, $2) as m (id)
     limit $2`,
    [tsQueries, limit],
  );
  return rows.map(({ id }) => id);
};

/** A page of a ranked search. */
export type NoteSearch = NoteFilters & {
  readonly view: NoteView;
  /** In the text format of `tsquery`; words that are ranked. */
  readonly rankQuery: string;
  /** The notes that match. */
  readonly foundIds: readonly string[];
  readonly after: PagePosition | null;
  readonly limit: number;
};

/** Weights of content stems, content words and stems of tags, tags and folder, and the title. */
const rankWeights = `'{0.05, 0.2, 0.5, 1}'::real[]`;

/**
 * A year makes a note a fifth more relevant. Times are compared with a fixed day, so that the order of two notes
 * never changes with time, and pages fit together.
 */
const recency = `power(1.2, extract(epoch from n.updated_at - timestamptz '2026-01-01') / 31557600)`;

/**
 * Lists the results of a full-text search, best match first. The id breaks ties of equal ranks. A rank (float4)
 * survives the round trip through the cursor unchanged.
 */
export const searchNotes = (tx: CompanyTx, search: NoteSearch): Promise<ListedNoteRow[]> => {
  const { bind, values } = binder();
  const { after, limit } = search;
  const conditions = noteConditions(tx.companyId, search, bind);
  const keyset = after
    ? `where (n.rank, n.id) < (${bind(after[0])}::real, ${bind(after[1])}::uuid)`
    : '';
  const inOrder = 'n.rank desc, n.id desc';
  const statement = `
    select ${listedColumns(search.view, inOrder)}, n.rank
    from (
      select n.*
      from (
        select n.*, (ts_rank(${rankWeights}, s.document, ${bind(search.rankQuery)}::tsquery, 1)
          * ${recency})::real as rank
        from notes.note_search s
        cross join lateral (
          select n.* from notes.notes n
          where ${conditions} and n.id = any (array[s.note_id])
          order by n.id
        ) n
        where s.company_id = ${bind(tx.companyId)}
          and s.note_id = any (${bind(search.foundIds)}::uuid[])
      ) n
      ${keyset}
      order by ${inOrder}
      limit ${bind(limit)}
    ) n
    order by ${inOrder}`;
  return tx.query<ListedNoteRow>(statement, values);
};
