import { foldWord } from '../text/fold-word.ts';
import { parseQuery, type QueryNode, type SearchQuery } from '../text/parse-query.ts';
import type { stemsOf } from '../text/stem-word.ts';
import { functionWordsOf } from './function-words.ts';

/**
 * A word of a query in whatever form a note has it: one of several sequences of terms, mostly of a single one, or of its
 * stems. Pairs of ideographs are one sequence.
 */
export type WordGroup = {
  readonly text: string;
  readonly node: QueryNode;
  readonly sequences: readonly (readonly string[])[];
  readonly stems: readonly string[];
  readonly isPrefix: boolean;
  readonly isFunctionWord: boolean;
};

/** More words of a query are not looked for: 64 words of a question say what it is about. */
const groupsMax = 64;

/** The words of a query that notes are ranked by, each once. */
export const wordGroupsOf = (query: SearchQuery, stems: typeof stemsOf): WordGroup[] => {
  const nodes = query.alternatives
    .flat()
    .filter(({ isExcluded }) => !isExcluded)
    .flatMap(({ node, isPhrase }) => (isPhrase ? [node] : partsOf(node)));
  const byText = new Map(nodes.map((node) => [textOf(node), node]));
  const functionWords = functionWordsOf([...byText.keys()]);
  return [...byText]
    .slice(0, groupsMax)
    .map(([text, node]) => groupOf(text, node, { stems, isFunctionWord: functionWords.has(text) }));
};

/** Parses a question: every word counts, also `or`. */
export const parseQuestion = (q: string): SearchQuery => parseQuery(q, false, true);

/** The parts of identifiers and addresses count for themselves; numbers such as 0.29 stay whole. */
const partsOf = (node: QueryNode): QueryNode[] => {
  if ('all' in node) {
    return node.all.flatMap(partsOf);
  }
  if ('any' in node) {
    return node.any.flatMap((one) => ('next' in one ? partsOf(one) : [one]));
  }
  if ('next' in node && node.next.some(({ term }) => isLetters.test(term))) {
    return node.next.map(({ term, isPrefix }) => ({ word: term, ...(isPrefix && { isPrefix }) }));
  }
  return [node];
};
const isLetters = /^(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])\p{L}/u;

/** The word, or the text of a sequence: pairs of ideographs overlap. */
const textOf = (node: QueryNode): string => {
  if ('word' in node) {
    return node.word;
  }
  if ('next' in node) {
    const terms = node.next.map(({ term }) => term);
    return isIdeographs.test(terms.join(''))
      ? `${terms.map((term) => [...term][0] ?? '').join('')}${[...(terms.at(-1) ?? '')].slice(1).join('')}`
      : terms.join(' ');
  }
  return ('any' in node ? node.any : node.all).map(textOf).join(' ');
};
const isIdeographs = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3005\u30fc]+$/u;

const groupOf = (
  text: string,
  node: QueryNode,
  { stems, isFunctionWord }: { stems: typeof stemsOf; isFunctionWord: boolean },
): WordGroup => {
  const isWord = 'word' in node;
  return {
    text,
    node,
    sequences: sequencesOf(node),
    stems: isWord ? stems(node.word) : [],
    isPrefix: isWord ? (node.isPrefix ?? false) : false,
    isFunctionWord: isFunctionWord || foldWord(text).length === 0 || oneLetter.test(text),
  };
};
const oneLetter = /^[a-z\u0430-\u044f]$/;

const sequencesOf = (node: QueryNode): string[][] => {
  if ('word' in node) {
    return [[node.word]];
  }
  return 'next' in node
    ? [node.next.map(({ term }) => term)]
    : ('any' in node ? node.any : node.all).flatMap(sequencesOf);
};
