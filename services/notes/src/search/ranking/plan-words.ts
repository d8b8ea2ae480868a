import type { SearchStatistics } from '../../queries/search-statistics.ts';
import type { WordQuery } from '../../queries/ranked-search.ts';
import { nodeToTsQuery, type TsQueryOptions } from '../text/to-tsquery.ts';
import type { WordGroup } from './word-groups.ts';

/** Notes that are looked at, by the frequencies of the words that find them. */
export const matchesMax = 2_000;

/** Words of a query that notes are looked through for, beside those that find them. */
const furtherMax = 8;

/** How the notes of a query are found. */
export type WordPlan = {
  /** Words that find notes: the rarest ones. */
  readonly chosen: readonly WordQuery[];
  /** The chosen words, by their index in the query; null: the notes have all of the rarest words, which are frequent. */
  readonly chosenGroups: ReadonlySet<number> | null;
  /** Indexes of further words, the rarest first. */
  readonly further: readonly number[];
  readonly furtherQueries: readonly string[];
  /** In how many notes a word is, by the statistics; 0: few or none. */
  readonly estimates: readonly number[];
};

/** `tried`: so many notes of frequent words are enough. `isNarrowed`: by more than words. */
type PlanOptions = TsQueryOptions & { readonly tried: number; readonly isNarrowed: boolean };

/** Chooses the words that find the notes of a query. Function words do only where there is nothing else. */
export const planWords = (
  groups: readonly WordGroup[],
  statistics: SearchStatistics,
  options: PlanOptions,
): WordPlan => {
  const estimates = groups.map((group, index) => estimateOf(group, index, statistics));
  const estimate = (index: number): number => estimates[index] ?? 0;
  const content = groups.flatMap(({ isFunctionWord }, index) => (isFunctionWord ? [] : [index]));
  const sorted = (content.length > 0 ? content : [...groups.keys()]).toSorted(
    (a, b) => estimate(a) - estimate(b) || a - b,
  );
  const queryOf = (index: number): string => {
    const group = groups[index];
    return group ? nodeToTsQuery(group.node, options) : '';
  };
  const chosen: number[] = [];
  let notes = 0;
  for (const index of sorted) {
    notes += estimate(index);
    if (notes <= matchesMax) {
      chosen.push(index);
    }
  }
  const isFrequent = chosen.length === 0;
  const rarest = sorted.slice(0, conjunctionMax);
  // All notes that frequent words find have them. With filters, more notes may join them.
  const known = isFrequent && !options.isNarrowed ? rarest : chosen;
  const further = sorted.filter((index) => !known.includes(index)).slice(0, furtherMax);
  const query = rarest.map(queryOf).join(' & ');
  const looked = lookedOf(rarest.map(estimate), statistics, options.tried);
  return {
    chosen: isFrequent
      ? [{ place: groups.length, query, looked }]
      : chosen.map((place) => ({ place, query: queryOf(place), looked: 0 })),
    chosenGroups: isFrequent ? null : new Set(chosen),
    further,
    furtherQueries: further.map(queryOf),
    estimates,
  };
};

/** Of only frequent words, notes must have the rarest of them. */
const conjunctionMax = 3;

/** Microseconds: of a document that is read, per word of it, and of an entry of the index. */
const costs = { document: 2, word: 0.1, entry: 0.1 } as const;
const lookedMax = 5_000;

/**
 * Documents to look at for notes that have all of these frequent words, as if words were independent; 0: the index, which
 * lists every note with each of them, takes less time.
 */
const lookedOf = (
  estimates: readonly number[],
  { notesNow, wordAverage }: SearchStatistics,
  tried: number,
): number => {
  const share = estimates.reduce((product, one) => product * Math.min(1, one / notesNow), 1);
  const looked = Math.min(lookedMax, Math.ceil((1.2 * tried) / Math.max(share, 1e-6)));
  const byReading = looked * (costs.document + costs.word * wordAverage);
  const byIndex = estimates.reduce((sum, one) => sum + one, 0) * costs.entry;
  return share * looked >= lookedEnough && byReading < byIndex ? looked : 0;
};
/** Notes that are expected of the looked ones at least. */
const lookedEnough = 150;

/** Any of the words, for notes of few filters. */
export const anyWordQuery = (groups: readonly WordGroup[], options: TsQueryOptions): string => {
  const content = groups.filter(({ isFunctionWord }) => !isFunctionWord);
  return (content.length > 0 ? content : groups)
    .map(({ node }) => nodeToTsQuery(node, options))
    .join(' | ');
};

/**
 * The notes with a word, by the sample: of several forms the most frequent one, never their sum; of a sequence the
 * rarest part.
 */
const estimateOf = (
  { sequences, stems }: WordGroup,
  index: number,
  { terms, hits, notesNow, sampled }: SearchStatistics,
): number => {
  const inSample = (term: string): number => terms[term] ?? 0;
  const forms = [
    ...sequences.map((sequence) => Math.min(...sequence.map(inSample))),
    ...stems.map(inSample),
  ];
  const most = hits?.[index] ?? Math.max(0, ...forms);
  return sampled === 0 ? 0 : Math.round((most * Math.max(notesNow, sampled)) / sampled);
};

/** The terms whose frequencies a query needs. */
export const termsOfGroups = (groups: readonly WordGroup[]): string[] => [
  ...new Set(groups.flatMap(({ sequences, stems }) => [...sequences.flat(), ...stems])),
];
