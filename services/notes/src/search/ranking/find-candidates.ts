import type { CompanyTx } from '@commonplace/db';
import { listCandidates, type Candidate, type CandidateSearch } from '../../queries/candidates.ts';
import { isFiltered, type NoteFilters } from '../../queries/note-filters.ts';
import {
  findWordMatches,
  listFilteredMatches,
  type WordQuery,
  type WeightedNotes,
  type WordMatches,
} from '../../queries/ranked-search.ts';
import type { SearchStatistics } from '../../queries/search-statistics.ts';
import { correctableEdges } from '../resolve-words.ts';
import { nodeToTsQuery, type TsQueryOptions } from '../text/to-tsquery.ts';
import { anyWordQuery, matchesMax, planWords, type WordPlan } from './plan-words.ts';
import type { WordGroup } from './word-groups.ts';
import { weightsOf } from './word-weights.ts';

/** Notes of the candidates whose documents are looked into. */
const candidatesMax = 150;
/** Found notes that are tried for the candidates: without conditions, only deleted notes are left out. */
const triedMax = { plain: candidatesMax + 50, filtered: 2 * matchesMax } as const;
/** Notes with all words, of which the newest are tried. */
const ofAllWordsMax = 1_000;
/** Notes that pass the filters and are looked through, if the rarest words are not in them. */
const filteredMax = { enough: 50, looked: 5_000, found: 500 } as const;
/** Candidates whose text is compared, and how much of it. */
const texts = { notesMax: 50, bytesMax: 128 * 1024, charactersMax: 4_000 } as const;
/** Found notes whose rows are read at once, where they are wanted: most of them are on the first page. */
const rowsMax = 20;

export type WordRequest = {
  readonly groups: readonly WordGroup[];
  readonly statistics: SearchStatistics;
  readonly filters: NoteFilters;
  readonly options: TsQueryOptions;
  /** What notes must match besides, in the text format of `tsquery`. */
  readonly required: string | null;
  /** Whether the rows of a list are wanted of the candidates, if they are few. */
  readonly areRowsWanted: boolean;
};

/** The notes with the rarest words of a query, not yet filtered. */
export type FoundWords = {
  readonly plan: WordPlan;
  readonly matches: WordMatches;
  /** In how many notes each word is, as far as it was counted. */
  readonly counts: readonly number[];
  /** There may be more notes. */
  readonly isCut: boolean;
};

/** Finds the notes with the rarest words of a query; with `areMoreTried` more of them. */
export const findWords = async (
  tx: CompanyTx,
  { groups, statistics, filters, options, required }: WordRequest,
  areMoreTried = false,
): Promise<FoundWords> => {
  // Words find nothing outside the granted folders, so that these leave out none of what was found.
  const isNarrowed = areMoreTried || required !== null || isFiltered({ ...filters, granted: null });
  const tried = isNarrowed ? triedMax.filtered : triedMax.plain;
  const plan = planWords(groups, statistics, { ...options, tried, isNarrowed });
  const all =
    isNarrowed || statistics.sampled > 0
      ? null
      : await findAllWords(tx, groups, { options, tried });
  if (all) {
    // Each of them has all words; function words say no more about one than about another.
    const counts = groups.map(({ isFunctionWord }) => (isFunctionWord ? all.notes : 1));
    return { plan, matches: all, counts, isCut: true };
  }
  const isFirst = !areMoreTried && (options.corrections?.size ?? 0) === 0;
  const chosen = isFirst ? plan.chosen.map((word) => withEdges(tx, groups, word)) : plan.chosen;
  const matches = await findWordMatches(tx, chosen, {
    notes: statistics.notesNow,
    most: plan.chosenGroups === null ? Math.min(tried, matchesMax) : matchesMax,
    limit: tried,
  });
  const isCut = !isNarrowed && matches.notes >= tried;
  return { plan, matches, counts: countsOf(groups, plan, matches), isCut };
};

/** Adds what a word begins and ends with, if it may be misspelled. */
const withEdges = (tx: CompanyTx, groups: readonly WordGroup[], word: WordQuery): WordQuery => {
  const { node, isFunctionWord = false } = groups[word.place] ?? {};
  const isCorrected = node && !isFunctionWord && 'word' in node && !node.isPrefix;
  return { ...word, edges: isCorrected ? correctableEdges(tx, node.word) : null };
};

/**
 * Notes with all words, where nothing says how frequent the words are in what the caller sees: if there are enough, no others
 * come before them. Null: there are too few, or the statistics say.
 */
const findAllWords = async (
  tx: CompanyTx,
  groups: readonly WordGroup[],
  { options, tried }: { readonly options: TsQueryOptions; readonly tried: number },
): Promise<WordMatches | null> => {
  const content = groups.filter(({ isFunctionWord }) => !isFunctionWord);
  if (tx.folders === null || content.length < 2) {
    return null;
  }
  const query = content.map(({ node }) => nodeToTsQuery(node, options)).join(' & ');
  const words = [{ place: groups.length, query, looked: 0 }];
  const found = await findWordMatches(tx, words, { notes: 0, most: ofAllWordsMax, limit: tried });
  return found.notes < candidatesMax ? null : found;
};

/** The notes that may be the best, the most promising first, and the weights of the words. */
export type FoundCandidates = {
  readonly candidates: readonly Candidate[];
  readonly weights: readonly number[];
};

/** Those of the notes with the rarest words that pass the filters. More notes are tried where most were deleted. */
export const findCandidates = async (
  tx: CompanyTx,
  request: WordRequest,
  found: FoundWords,
): Promise<FoundCandidates> => {
  const passing = await listPassing(tx, request, found);
  return found.isCut && passing.candidates.length < filteredMax.enough
    ? listPassing(tx, request, await findWords(tx, request, true))
    : passing;
};

const listPassing = async (
  tx: CompanyTx,
  { groups, statistics, filters, options, required, areRowsWanted }: WordRequest,
  { plan, matches, counts }: FoundWords,
): Promise<FoundCandidates> => {
  const weights = weightsOf(
    groups,
    { notes: Math.max(statistics.notesNow, ...counts), counts },
    options.corrections ?? new Map(),
  );
  const further = {
    queries: plan.furtherQueries,
    weights: plan.further.map((at) => weights[at] ?? 0),
  };
  const areRowsRead = areRowsWanted && matches.notes <= rowsMax;
  const search = { filters, required, further, limit: candidatesMax, texts, areRowsRead };
  const found = matches.notes === 0 ? [] : await listCandidates(tx, { ...search, matches });
  const isFew = found.length < filteredMax.enough && plan.further.length > 0;
  if (!isFew || !isIndexed(filters)) {
    return { weights, candidates: found };
  }
  const more = await findFiltered(tx, { groups, options, known: matches, search });
  const candidates = [...found, ...more].toSorted(
    (a, b) => b.weight - a.weight || (a.id < b.id ? 1 : -1),
  );
  return { weights, candidates };
};

type FilteredRequest = Pick<WordRequest, 'groups' | 'options'> & {
  readonly known: WeightedNotes;
  readonly search: Omit<CandidateSearch, 'matches'>;
};

/** Notes that pass the filters and have any of the words, where the notes with the rarest words are elsewhere. */
const findFiltered = async (
  tx: CompanyTx,
  { groups, options, known, search }: FilteredRequest,
): Promise<readonly Candidate[]> => {
  const matches = await listFilteredMatches(tx, {
    filters: search.filters,
    query: anyWordQuery(groups, options),
    known,
    looked: filteredMax.looked,
    limit: filteredMax.found,
  });
  return matches.notes === 0 ? [] : listCandidates(tx, { ...search, matches });
};

const countsOf = (
  groups: readonly WordGroup[],
  { chosenGroups, estimates }: WordPlan,
  { counts }: WordMatches,
): number[] =>
  groups.map((_group, index) =>
    chosenGroups?.has(index) ? (counts[index] ?? 0) : (estimates[index] ?? 0),
  );

/** Filters by an index, so that notes which pass are found soon. Words are chosen by what is visible, so that grants are none. */
const isIndexed = ({
  taggedIds,
  folder,
  folders = [],
  pinned,
  conflicts,
  updatedSince,
}: NoteFilters) =>
  taggedIds !== null ||
  folders.length > 0 ||
  Boolean(folder) ||
  [pinned || undefined, conflicts, updatedSince].some((filter) => filter !== undefined);
