import type { NoteId } from '@commonplace/contracts/core';
import { switchToIndexOrder, type CompanyTx } from '@commonplace/db';
import type { NoteFilters } from '../../queries/note-filters.ts';
import { listRankedTexts, type Candidate, type RankedText } from '../../queries/ranked-search.ts';
import { findSearchStatistics, type SearchStatistics } from '../../queries/search-statistics.ts';
import { correctWords } from '../resolve-words.ts';
import { createYieldInTime } from '../text/excerpt.ts';
import type { SearchQuery } from '../text/parse-query.ts';
import { termPrefix } from '../text/search-document.ts';
import { rememberedStems } from '../text/shared-stemmer.ts';
import { toRequiredQuery, type Replacements } from '../text/to-tsquery.ts';
import { analyseText } from './analyse-note.ts';
import { findCandidates, type FoundCandidates } from './find-candidates.ts';
import { createGroupMatcher } from './group-matcher.ts';
import { termsOfGroups } from './plan-words.ts';
import { scoreNote, type ScoredText, type ScoreParts } from './score-note.ts';
import { parseQuestion, wordGroupsOf, type WordGroup } from './word-groups.ts';

/** What is searched for. */
export type RankRequest = {
  readonly q: string;
  readonly filters: NoteFilters;
  /** The index has documents of an earlier release. */
  readonly isRebuilding: boolean;
};

/** A result, with what its score is made of; the last ones of a ranking are compared by few words only. */
export type RankedNote = {
  readonly id: NoteId;
  readonly score: number;
  readonly parts: ScoreParts | null;
};

/** Text that was compared with the query. */
type ComparedText = ScoredText & RankedText;

export type Ranking = {
  readonly query: SearchQuery;
  readonly groups: readonly WordGroup[];
  readonly weights: readonly number[];
  readonly corrections: Replacements;
  /** The generation of the statistics. */
  readonly generation: number;
  /** At most 200, the best first. */
  readonly notes: readonly RankedNote[];
  readonly texts: ReadonlyMap<string, ComparedText>;
};

const resultsMax = 200;
/** Candidates whose text is compared, and how much of it. */
const compared = { notes: 50, bytesMax: 128 * 1024, charactersMax: 4_000 } as const;

const noCorrections: Replacements = new Map();

/**
 * Ranks the notes that have any of the words of a question. A phrase that no note has counts as its words. Null: the
 * question has no words.
 */
export const rankNotes = async (tx: CompanyTx, request: RankRequest): Promise<Ranking | null> => {
  await switchToIndexOrder(tx);
  const ranking = await rankQuery(tx, request, parseQuestion(request.q));
  return ranking?.notes.length === 0 && request.q.includes('"')
    ? rankQuery(tx, request, parseQuestion(request.q.replaceAll('"', ' ')))
    : ranking;
};

const rankQuery = async (
  tx: CompanyTx,
  { filters, isRebuilding }: RankRequest,
  query: SearchQuery,
): Promise<Ranking | null> => {
  const groups = wordGroupsOf(query, rememberedStems);
  if (groups.length === 0) {
    return null;
  }
  const statistics = await findSearchStatistics(tx, termsOfGroups(groups));
  const base = { prefix: termPrefix(tx.companyId), isRebuilding };
  const find = (corrections: Replacements) => {
    const options = { ...base, corrections };
    const required = toRequiredQuery(query, options);
    return findCandidates(tx, { groups, statistics, filters, options, required });
  };
  let found = await find(noCorrections);
  const corrections = await correctUnknown(tx, groups, found);
  if (corrections.size > 0) {
    found = await find(corrections);
  }
  const { notes, texts } = await compare(tx, { groups, corrections, found, statistics });
  const { weights } = found;
  return { query, groups, weights, corrections, generation: statistics.generation, notes, texts };
};

/** Corrects the words that are in no note, in whatever form. */
const correctUnknown = (
  tx: CompanyTx,
  groups: readonly WordGroup[],
  { counts }: FoundCandidates,
): Promise<Replacements> | Replacements => {
  const unknown = groups.filter(
    ({ node, isFunctionWord }, index) =>
      counts[index] === 0 && !isFunctionWord && 'word' in node && !node.isPrefix,
  );
  const items = unknown.map(({ node }) => ({ node, isExcluded: false, isPhrase: false }));
  return items.length === 0 ? noCorrections : correctWords(tx, { alternatives: [items] });
};

type Comparison = {
  readonly groups: readonly WordGroup[];
  readonly corrections: Replacements;
  readonly found: FoundCandidates;
  readonly statistics: SearchStatistics;
};

/** Average words of a note, where no statistics say. */
const wordsUsual = 150;

/** Compares the texts of the first candidates with all words of the query. */
const compare = async (
  tx: CompanyTx,
  { groups, corrections, found, statistics }: Comparison,
): Promise<Pick<Ranking, 'notes' | 'texts'>> => {
  const { candidates, weights } = found;
  const first = candidates.slice(0, compared.notes);
  const rows =
    first.length === 0
      ? []
      : await listRankedTexts(tx, { ...compared, ids: first.map(({ id }) => id) });
  const match = createGroupMatcher(groups, { stems: rememberedStems, corrections });
  const words = new Map<string, number>(candidates.map((one) => [one.id, one.words]));
  const texts = new Map<string, ComparedText>();
  const yieldInTime = createYieldInTime();
  for (const row of rows) {
    const content = await analyseText(row.content, match, yieldInTime);
    texts.set(row.id, {
      ...row,
      titleHits: match(row.title).hits,
      labelHits: match([...row.tags, row.folder].join(' ')).hits,
      analysed: row.isWhole ? content : { ...content, words: words.get(row.id) ?? content.words },
    });
  }
  const average = statistics.wordAverage || averageOf(candidates) || wordsUsual;
  const scored = [...texts.values()].map((text) => {
    const parts = scoreNote(text, weights, average);
    return { id: text.id, score: parts.words + parts.nearness, parts };
  });
  const sorted = scored
    .filter(({ score }) => score > 0)
    .toSorted(
      (a, b) =>
        hasAll(b.parts, groups) - hasAll(a.parts, groups) ||
        b.score - a.score ||
        (a.id < b.id ? 1 : -1),
    );
  const rest = candidates.slice(compared.notes).map(({ id }) => ({ id, score: 0, parts: null }));
  const notes = sorted.map(({ id, score, parts }) => ({ id, score, parts }));
  return { notes: [...notes, ...rest].slice(0, resultsMax), texts };
};

const averageOf = (candidates: readonly Candidate[]): number =>
  candidates.reduce((sum, { words }) => sum + words, 0) / Math.max(1, candidates.length);

/** 1: the note has all words but function words. */
const hasAll = ({ counts }: ScoreParts, groups: readonly WordGroup[]): number =>
  groups.every(({ isFunctionWord }, index) => isFunctionWord || (counts[index] ?? 0) > 0) ? 1 : 0;
