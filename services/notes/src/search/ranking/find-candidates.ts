import type { CompanyTx } from '@commonplace/db';
import type { NoteFilters } from '../../queries/note-filters.ts';
import {
  findWordMatches,
  listCandidates,
  listFilteredMatches,
  type Candidate,
  type CandidateSearch,
  type WordMatches,
} from '../../queries/ranked-search.ts';
import type { SearchStatistics } from '../../queries/search-statistics.ts';
import type { TsQueryOptions } from '../text/to-tsquery.ts';
import { anyWordQuery, matchesMax, planWords, type WordPlan } from './plan-words.ts';
import type { WordGroup } from './word-groups.ts';
import { weightsOf } from './word-weights.ts';

/** Notes of the candidates whose documents are looked into. */
const candidatesMax = 150;
/** Found notes that are tried for the candidates: without filters, hardly any is left out. */
const triedMax = { plain: 600, filtered: 2 * matchesMax } as const;
/** Notes that pass the filters and are looked through, if the rarest words are not in them. */
const filteredMax = { enough: 50, looked: 5_000, found: 500 } as const;

export type CandidateRequest = {
  readonly groups: readonly WordGroup[];
  readonly statistics: SearchStatistics;
  readonly filters: NoteFilters;
  readonly options: TsQueryOptions;
  /** What notes must match besides, in the text format of `tsquery`. */
  readonly required: string | null;
};

/** The notes that may be the best, the most promising first, and the weights of the words. */
export type FoundCandidates = {
  readonly candidates: readonly Candidate[];
  readonly weights: readonly number[];
  /** In how many notes each word is, as far as it was counted. */
  readonly counts: readonly number[];
};

/** Finds the notes with the rarest words of a query that pass the filters. */
export const findCandidates = async (
  tx: CompanyTx,
  request: CandidateRequest,
): Promise<FoundCandidates> => {
  const { groups, statistics, filters, options, required } = request;
  const plan = planWords(groups, statistics, options);
  const isFiltered = hasFilters(filters);
  const matches = await findWordMatches(tx, plan.chosen, {
    notes: statistics.notesNow,
    most: matchesMax,
    limit: isFiltered ? triedMax.filtered : triedMax.plain,
  });
  const counts = countsOf(groups, plan, matches);
  const weights = weightsOf(
    groups,
    { notes: Math.max(statistics.notesNow, ...counts), counts },
    options.corrections ?? new Map(),
  );
  const search = { filters, required, further: plan.furtherQueries, limit: candidatesMax };
  const found = await listCandidates(tx, { ...search, matches });
  const further =
    isIndexed(filters) && found.length < filteredMax.enough && plan.further.length > 0
      ? await findFiltered(tx, { groups, options, found, search })
      : [];
  const value = ({ weight, has }: Candidate): number =>
    weight +
    plan.further.reduce((sum, at, index) => sum + (has[index] ? (weights[at] ?? 0) : 0), 0);
  return {
    weights,
    counts,
    candidates: [...found, ...further].toSorted(
      (a, b) => value(b) - value(a) || (a.id < b.id ? 1 : -1),
    ),
  };
};

type FilteredRequest = Pick<CandidateRequest, 'groups' | 'options'> & {
  readonly found: readonly Candidate[];
  readonly search: Omit<CandidateSearch, 'matches'>;
};

/** Notes that pass the filters and have any of the words, where the notes with the rarest words are elsewhere. */
const findFiltered = async (
  tx: CompanyTx,
  { groups, options, found, search }: FilteredRequest,
): Promise<readonly Candidate[]> => {
  const known = new Set<string>(found.map(({ id }) => id));
  const matching = await listFilteredMatches(tx, {
    filters: search.filters,
    query: anyWordQuery(groups, options),
    looked: filteredMax.looked,
    limit: filteredMax.found,
  });
  const ids = matching.filter((id) => !known.has(id));
  return ids.length === 0
    ? []
    : listCandidates(tx, { ...search, matches: { ids, weights: ids.map(() => 0) } });
};

const countsOf = (
  groups: readonly WordGroup[],
  { chosenGroups, estimates }: WordPlan,
  { counts }: WordMatches,
): number[] =>
  groups.map((_group, index) =>
    chosenGroups?.has(index) ? (counts[index] ?? 0) : (estimates[index] ?? 0),
  );

/** Filters by an index, so that notes which pass are found soon. */
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

const hasFilters = ({
  tag,
  folder,
  folders = [],
  pinned,
  archived,
  author,
  conflicts,
  deleted,
  updatedSince,
  updatedUntil,
}: NoteFilters): boolean =>
  tag.length + folders.length > 0 ||
  Boolean(folder) ||
  deleted === 'only' ||
  [pinned, archived, author, conflicts, updatedSince, updatedUntil].some(
    (filter) => filter !== undefined,
  );
