import type { CompanyTx } from '@commonplace/db';
import { searchNoteIds } from '../queries/search.ts';
import { probablyMatchesMore } from './ranking/visible-statistics.ts';
import { completePrefix, correctWords } from './resolve-words.ts';
import { parseQuery, type SearchQuery } from './text/parse-query.ts';
import { termPrefix } from './text/search-document.ts';
import {
  findsSomething,
  toMatchQueries,
  toRankQuery,
  toTsQuery,
  type Replacements,
} from './text/to-tsquery.ts';

/** What is searched for, and how. */
export type SearchRequest = {
  readonly q: string;
  readonly match?: 'words' | 'prefix' | undefined;
  /** The index has documents of an earlier release. */
  readonly isRebuilding: boolean;
};

/** What a search found. */
export type FoundNotes = {
  readonly query: SearchQuery;
  /** For lists by time. Each note is compared with the prefix itself, which costs less than all its words. */
  readonly tsQuery: string;
  readonly rankQuery: string;
  readonly corrections: Replacements;
  /** Null: too many to rank. */
  readonly ids: readonly string[] | null;
};

const noCorrections: Replacements = new Map();

/**
 * Finds the notes that match a query. When none does, words that are in no note are corrected. Null: the query has
 * no words, so nothing matches.
 */
export const findMatchingNotes = async (
  tx: CompanyTx,
  { q, match = 'words', isRebuilding }: SearchRequest,
  isContinued: boolean,
): Promise<FoundNotes | null> => {
  const query = parseQuery(q, match === 'prefix');
  const completions = match === 'prefix' ? await completePrefix(tx, query) : new Map();
  const options = { prefix: termPrefix(tx.companyId), isRebuilding };
  const find = async (corrections: Replacements): Promise<FoundNotes | null> => {
    const matchQueries = toMatchQueries(query, { ...options, corrections }, completions);
    const tsQuery = toTsQuery(query, { ...options, corrections });
    const rankQuery = toRankQuery(query, { ...options, corrections });
    if (tsQuery === null) {
      return null;
    }
    const isSearch = rankQuery !== null && findsSomething(query);
    // The note of each match is looked up where some are hidden.
    const isProbablyMore =
      tx.folders === null ? null : (most: number) => probablyMatchesMore(tx, matchQueries, most);
    const ids = isSearch
      ? await searchNoteIds(tx, { tsQueries: matchQueries, match, isContinued, isProbablyMore })
      : null;
    return { query, tsQuery, rankQuery: rankQuery ?? '', corrections, ids };
  };
  const found = await find(noCorrections);
  if (found?.ids?.length !== 0) {
    return found;
  }
  const corrections = await correctWords(tx, query);
  return corrections.size === 0 ? found : find(corrections);
};
