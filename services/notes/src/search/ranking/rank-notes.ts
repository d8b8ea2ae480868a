import type { NoteId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import type { NoteFilters } from '../../queries/note-filters.ts';
import type { Candidate, RankedText } from '../../queries/candidates.ts';
import type { ListedNoteRow } from '../../queries/note-rows.ts';
import { findSearchStatistics, type SearchStatistics } from '../../queries/search-statistics.ts';
import { correctionsOf } from '../resolve-words.ts';
import { createSearchPauses } from '../text/excerpt.ts';
import { withoutPhrases, type SearchQuery } from '../text/parse-query.ts';
import { termPrefix } from '../text/search-document.ts';
import { rememberedStems } from '../text/remembered-stems.ts';
import { toRequiredQuery, type Replacements } from '../text/to-tsquery.ts';
import { analyseText } from './analyse-note.ts';
import {
  findCandidates,
  findWords,
  type FoundCandidates,
  type FoundWords,
} from './find-candidates.ts';
import { createGroupMatcher } from './group-matcher.ts';
import { termsOfGroups } from './plan-words.ts';
import { scoreNote, type ScoredText, type ScoreParts } from './score-note.ts';
import { visibleStatistics } from './visible-statistics.ts';
import { parseQuestion, wordGroupsOf, type WordGroup } from './word-groups.ts';

/** What is searched for. */
export type RankRequest = {
  readonly q: string;
  readonly filters: NoteFilters;
  /** The index has documents of an earlier release. */
  readonly isRebuilding: boolean;
  /**
   * With the frequencies of `searchedTerms` or, if some notes are hidden, of `rankedGroups` in a sample of the others; absent:
   * they are read.
   */
  readonly statistics?: SearchStatistics | undefined;
  /** Whether the rows of a list are read with the candidates, if they are few. */
  readonly areRowsWanted?: boolean;
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
  /** Of the notes whose rows were read already. */
  readonly rows: ReadonlyMap<string, ListedNoteRow>;
  /** Phrases or excluded words bind: only notes that match them are results. */
  readonly isBound: boolean;
  /** Of notes that are similar to the query, which of their chunks is. */
  readonly places?: ReadonlyMap<string, number>;
};

/** Results of a search. */
export const resultsMax = 200;

const noCorrections: Replacements = new Map();

/** The terms whose frequencies the search for a question may need. */
export const searchedTerms = (q: string): string[] => [
  ...new Set(
    [...new Set([q, withoutPhrases(q)])].flatMap((text) =>
      termsOfGroups(groupsOf(parseQuestion(text))),
    ),
  ),
];

/** The words that the notes for a question are ranked by. */
export const rankedGroups = (q: string): WordGroup[] => groupsOf(parseQuestion(q));

const groupsOf = (query: SearchQuery): WordGroup[] => wordGroupsOf(query, rememberedStems);

/**
 * Ranks the notes that have any of the words of a question, in a transaction in index order. A phrase that no note has
 * counts as its words. Null: the question has no words.
 */
export const rankNotes = async (tx: CompanyTx, request: RankRequest): Promise<Ranking | null> => {
  const ranking = await rankQuery(tx, request, parseQuestion(request.q));
  const asWords = withoutPhrases(request.q);
  if (ranking?.notes.length !== 0 || asWords === request.q) {
    return ranking;
  }
  // A sample counts other words than these.
  const statistics = tx.folders === null ? request.statistics : undefined;
  return rankQuery(tx, { ...request, statistics }, parseQuestion(asWords));
};

const rankQuery = async (
  tx: CompanyTx,
  { filters, isRebuilding, areRowsWanted = false, ...known }: RankRequest,
  query: SearchQuery,
): Promise<Ranking | null> => {
  const groups = groupsOf(query);
  if (groups.length === 0) {
    return null;
  }
  const prefix = termPrefix(tx.companyId);
  const readStatistics = () =>
    tx.folders === null
      ? findSearchStatistics(tx, termsOfGroups(groups))
      : visibleStatistics(tx, groups, { prefix, isRebuilding });
  const statistics = known.statistics ?? (await readStatistics());
  const requestOf = (corrections: Replacements) => {
    const options = { prefix, isRebuilding, corrections };
    const required = toRequiredQuery(query, options);
    return { groups, statistics, filters, options, required, areRowsWanted };
  };
  let words = requestOf(noCorrections);
  let found = await findWords(tx, words);
  const corrections = correctUnknown(groups, found);
  if (corrections.size > 0) {
    words = requestOf(corrections);
    found = await findWords(tx, words);
  }
  const { candidates, weights } = await findCandidates(tx, words, found);
  const isBound = words.required !== null;
  const compared = await compare({ groups, corrections, candidates, weights, statistics });
  return {
    query,
    groups,
    weights,
    corrections,
    generation: statistics.generation,
    isBound,
    rows: new Map(candidates.flatMap(({ id, row }) => (row ? [[id, row] as const] : []))),
    ...compared,
  };
};

/** Corrects the words that are in no note, in whatever form. */
const correctUnknown = (
  groups: readonly WordGroup[],
  { matches: { similar } }: FoundWords,
): Replacements =>
  correctionsOf(
    groups.flatMap(({ node }, index) => {
      const candidates = similar[index];
      return candidates && 'word' in node ? [[node.word, candidates] as const] : [];
    }),
  );

type Comparison = FoundCandidates & {
  readonly groups: readonly WordGroup[];
  readonly corrections: Replacements;
  readonly statistics: SearchStatistics;
};

/** Average words of a note, where no statistics say. */
const wordsUsual = 150;

/** Compares the texts of the first candidates with all words of the query. */
const compare = async ({
  groups,
  corrections,
  candidates,
  weights,
  statistics,
}: Comparison): Promise<Pick<Ranking, 'notes' | 'texts'>> => {
  const match = createGroupMatcher(groups, { stems: rememberedStems, corrections });
  const average = statistics.wordAverage || averageOf(candidates) || wordsUsual;
  const texts = new Map<string, ComparedText>();
  const scored: { readonly id: NoteId; readonly score: number; readonly parts: ScoreParts }[] = [];
  const yieldInTime = createSearchPauses();
  for (const { id, text, words } of candidates) {
    if (text) {
      const compared: ComparedText = {
        ...text,
        titleHits: match(text.title),
        labelHits: match([...text.tags, text.folder].join(' ')),
        analysed: await analyseText(text.content, match, yieldInTime),
        words,
      };
      texts.set(id, compared);
      const parts = scoreNote(compared, weights, average);
      scored.push({ id, score: parts.words + parts.nearness, parts });
    }
  }
  const found = scored.filter(({ score }) => score > 0);
  const sorted = found.toSorted(
    (a, b) =>
      hasAll(b.parts, groups) - hasAll(a.parts, groups) ||
      b.score - a.score ||
      (a.id < b.id ? 1 : -1),
  );
  const foundIds = new Set(found.map(({ id }) => id));
  // The index has found words of theirs, perhaps beyond what was read.
  const rest = candidates
    .filter(({ id, text }) => !text?.isWhole && !foundIds.has(id))
    .map(({ id }) => ({ id, score: 0, parts: null }));
  return { notes: [...sorted, ...rest].slice(0, resultsMax), texts };
};

const averageOf = (candidates: readonly Candidate[]): number =>
  candidates.reduce((sum, { words }) => sum + words, 0) / Math.max(1, candidates.length);

/** 1: the note has all words but function words. */
const hasAll = ({ counts }: ScoreParts, groups: readonly WordGroup[]): number =>
  groups.every(({ isFunctionWord }, index) => isFunctionWord || (counts[index] ?? 0) > 0) ? 1 : 0;
