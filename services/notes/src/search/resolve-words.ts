import type { CompanyTx } from '@commonplace/db';
import { listKnownWords, listSimilarWords, listWordsByPrefix } from '../queries/search-words.ts';
import type { QueryNode, SearchQuery } from './text/parse-query.ts';
import { correctedMin, isCorrectable, mostSimilar } from './text/similar-words.ts';
import { rememberedStems } from './text/shared-stemmer.ts';
import type { Replacements } from './text/to-tsquery.ts';

/** Words a prefix may stand for; of more, the first in order. Each makes a query of its own. */
const completionsMax = 200;
/** Misspelled words of a query that are corrected, and words each is corrected to. */
const correctedMax = 4;
const correctionsMax = 8;
const candidatesMax = 2_000;

/** The words that begin with the prefix of the query, if it has one. Who does not see all notes gets none: the index is read. */
export const completePrefix = async (tx: CompanyTx, query: SearchQuery): Promise<Replacements> => {
  if (tx.folders !== null) {
    return new Map();
  }
  // Each query has all words, so that long queries get fewer.
  const limit = Math.max(10, Math.floor(completionsMax / query.alternatives.flat().length));
  const prefixes = wordsOf(query).filter(({ isPrefix }) => isPrefix);
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
  return correctUnknownWords(
    tx,
    words.filter((word) => !known.has(word)),
  );
};

/** The same for words that are known to be in no note. */
export const correctUnknownWords = async (
  tx: CompanyTx,
  words: readonly string[],
): Promise<Replacements> => {
  if (tx.folders !== null) {
    return new Map();
  }
  const corrected = await Promise.all(
    words
      .filter(isCorrectable)
      .slice(0, correctedMax)
      .map(async (word) => [word, await similarTo(tx, word)] as const),
  );
  return new Map(corrected.filter(([, similar]) => similar.length > 0));
};

/** The most similar words, with their stems. */
const similarTo = async (tx: CompanyTx, word: string): Promise<string[]> => {
  const candidates = await listSimilarWords(tx, {
    word,
    edge: edgeOf(word.length),
    limit: candidatesMax,
  });
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
