import type { SearchCorrection } from '@commonplace/contracts/notes';
import type { CompanyTx } from '@commonplace/db';
import {
  edgesOf,
  listKnownWords,
  listSimilarWords,
  listWordsByPrefix,
  similarMax,
  type WordEdges,
} from '../queries/search-words.ts';
import type { QueryNode, SearchQuery } from './text/parse-query.ts';
import { correctedMin, isCorrectable, mostSimilar } from './text/similar-words.ts';
import { rememberedStems } from './text/remembered-stems.ts';
import type { Replacements } from './text/to-tsquery.ts';

/** Words a prefix may stand for; of more, the first in order. Each makes a query of its own. */
const completionsMax = 200;
/** Longer numbers and ids are not among the words, whatever words begin so. */
const mayBeginNumber = /^(?=.*\p{N}).{4}/u;
/** Words that a misspelled one is corrected to. */
const correctionsMax = 8;

/** The words that begin with the prefix of the query, if it has one. Who does not see all notes gets none: the index is read. */
export const completePrefix = async (tx: CompanyTx, query: SearchQuery): Promise<Replacements> => {
  if (tx.folders !== null) {
    return new Map();
  }
  // Each query has all words, so that long queries get fewer.
  const limit = Math.max(10, Math.floor(completionsMax / query.alternatives.flat().length));
  const prefixes = wordsOf(query).filter(
    ({ word, isPrefix }) => isPrefix && !mayBeginNumber.test(word),
  );
  const completed = await Promise.all(
    prefixes.map(async ({ word }) => {
      const words = await listWordsByPrefix(tx, { prefix: word, limit });
      return [word, words] as const;
    }),
  );
  // Of numbers and ids, which are not among the words, the index itself is read.
  return new Map(completed.filter(([, words]) => words.length > 0));
};

/**
 * Words of notes that are a typo away from the words of the query that are in no note. None for who does not see all notes:
 * they would be words of others.
 */
export const correctWords = async (tx: CompanyTx, query: SearchQuery): Promise<Replacements> => {
  if (tx.folders !== null) {
    return new Map();
  }
  const words = [...new Set(wordsOf(query).map(({ word }) => word))].filter(isCorrectable);
  const known = new Set(words.length === 0 ? [] : await listKnownWords(tx, words));
  const unknown = words.filter((word) => !known.has(word)).slice(0, similarMax.misspelled);
  return correctionsOf(
    await Promise.all(
      unknown.map(async (word) => {
        const edges = edgesOf(word, edgeOf(word.length));
        return [word, await listSimilarWords(tx, edges)] as const;
      }),
    ),
  );
};

/** The edges of the words that a word which is in no note may stand for; null: it is not corrected. */
export const correctableEdges = ({ folders }: CompanyTx, word: string): WordEdges | null =>
  folders === null && isCorrectable(word) ? edgesOf(word, edgeOf(word.length)) : null;

/** The corrections of misspelled words, each with the words that it may stand for. */
export const correctionsOf = (
  misspelled: readonly (readonly [word: string, candidates: readonly string[]])[],
): Replacements =>
  new Map(
    misspelled
      .map(([word, candidates]) => [word, similarTo(word, candidates)] as const)
      .filter(([, similar]) => similar.length > 0),
  );

/** Corrections as a response has them: without the stems of words that are among them. */
export const listCorrections = (corrections: Replacements): SearchCorrection[] =>
  [...corrections].map(([word, similar]) => {
    const stems = new Set(
      similar.flatMap((one) => rememberedStems(one).filter((stem) => stem !== one)),
    );
    return { word, replacements: similar.filter((one) => !stems.has(one)) };
  });

/** The most similar words, with their stems. */
const similarTo = (word: string, candidates: readonly string[]): string[] => {
  // The word itself may be one of a note that is purged.
  const others = candidates.filter((candidate) => candidate !== word);
  const similar = mostSimilar(word, others).slice(0, correctionsMax);
  return [...new Set(similar.flatMap((one) => [one, ...rememberedStems(one)]))];
};

/** The letters at the beginning or end that the typos leave as they are: one typo, or two in a long word. */
const edgeOf = (length: number): number =>
  Math.max(2, length >= 2 * correctedMin ? Math.floor(length / 3) : Math.floor(length / 2) - 1);

type Word = { readonly word: string; readonly isPrefix?: true };

/** The words of a query outside phrases and exclusions. */
const wordsOf = (query: SearchQuery): Word[] =>
  query.alternatives
    .flat()
    .filter(({ isExcluded }) => !isExcluded)
    .flatMap(({ node }) => wordsOfNode(node));

const wordsOfNode = (node: QueryNode): Word[] => {
  if ('any' in node || 'all' in node) {
    return ('any' in node ? node.any : node.all).flatMap(wordsOfNode);
  }
  if ('word' in node) {
    return [node];
  }
  return node.next.flatMap(({ term, isPrefix }) => (isPrefix ? [{ word: term, isPrefix }] : []));
};
