import type { CompanyTx } from '@commonplace/db';
import { noStatistics, type SearchStatistics } from '../../queries/search-statistics.ts';
import { sampleVisibleNotes, type VisibleSample } from '../../queries/visible-sample.ts';
import { nodeToTsQuery, type TsQueryOptions } from '../text/to-tsquery.ts';
import type { WordGroup } from './word-groups.ts';

/** Words of fewer notes of the sample are rare: all their notes are looked for. */
const frequentMin = 5;

/** Below, all words are looked for, as in a company of so few notes. */
const notesMin = 1_000;

/**
 * How frequent the words of a query are in what the caller sees. Statistics of the company would reveal other notes, so words are
 * counted in a sample of the visible ones.
 */
export const visibleStatistics = async (
  tx: CompanyTx,
  groups: readonly WordGroup[],
  options: TsQueryOptions,
): Promise<SearchStatistics> =>
  statisticsOf(await sampleVisibleNotes(tx, sampledQueries(groups, options)));

/** What is counted in the sample: how many of the notes have each of the words. */
export const sampledQueries = (groups: readonly WordGroup[], options: TsQueryOptions): string[] =>
  groups.map(({ node }) => nodeToTsQuery(node, options));

/** Few visible notes need no statistics. */
export const statisticsOf = (sample: VisibleSample | null): SearchStatistics => {
  if (sample === null || sample.notes < notesMin) {
    return noStatistics;
  }
  const { notes, sampled, wordAverage } = sample;
  const hits = sample.hits.map((count) => (count < frequentMin ? 0 : count));
  return { ...noStatistics, notes, notesNow: notes, sampled, wordAverage, hits };
};

/** Whether more than so many of the notes that the caller sees probably match one of the queries, by a sample. */
export const probablyMatchesMore = async (
  tx: CompanyTx,
  queries: readonly string[],
  most: number,
): Promise<boolean> => {
  const sample = await sampleVisibleNotes(tx, [queries.map((query) => `(${query})`).join(' | ')]);
  const [hits = 0] = sample?.hitsLeast ?? [];
  return sample !== null && sample.notes * leastShare(hits, sample.sampled) > most;
};

/** What the share of all probably is at least, if so many of a sample are: three standard errors below, and three fewer. */
const leastShare = (hits: number, sampled: number): number => {
  const share = hits / sampled;
  return share - 3 * Math.sqrt((share * (1 - share)) / sampled) - 3 / sampled;
};
