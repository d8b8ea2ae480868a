import { tokenize, type Token } from './tokenize.ts';

/** A term to look for. `isPrefix`: any term that begins so. */
export type QueryTerm = { readonly term: string; readonly isPrefix?: true };

/**
 * A part of a query that a note must match: `any` of several ways to write it, `all` of its parts, terms `next` to
 * each other, or a `word` in any of its forms.
 */
export type QueryNode =
  | { readonly any: readonly QueryNode[] }
  | { readonly all: readonly QueryNode[] }
  | { readonly next: readonly QueryTerm[] }
  | { readonly word: string; readonly isPrefix?: true };

export type QueryItem = {
  readonly isExcluded: boolean;
  readonly node: QueryNode;
  /** It is quoted. */
  readonly isPhrase: boolean;
};

/** A query: a note matches all items of any alternative. */
export type SearchQuery = { readonly alternatives: readonly (readonly QueryItem[])[] };

/** A phrase, which may lack its closing quote, or a word. */
const item = /(-?)"([^"]*)"?|(-?)(\S+)/g;

/**
 * Parses a query in web search syntax: words, "phrases", -excluded, or. Any text is a query. With `isPrefix` the
 * last word is the beginning of one. In a question, `or` is a word.
 */
export const parseQuery = (q: string, isPrefix: boolean, isQuestion = false): SearchQuery => {
  const alternatives: QueryItem[][] = [[]];
  const found = [...q.matchAll(item)];
  for (const [index, [text, minusPhrase, phrase, minusWord, word = '']] of found.entries()) {
    if (text.toLowerCase() === 'or' && !isQuestion) {
      alternatives.push([]);
      continue;
    }
    const isLast = isPrefix && index === found.length - 1;
    const node = phrase === undefined ? nodeOfWord(word, isLast) : nodeOfPhrase(phrase);
    const isExcluded = (minusPhrase ?? minusWord) === '-';
    if (node) {
      alternatives.at(-1)?.push({ isExcluded, node, isPhrase: phrase !== undefined });
    }
  }
  return { alternatives: alternatives.filter((items) => items.length > 0).map(withoutParticles) };
};

/** The query with its phrases as words; those that are excluded stay phrases. */
export const withoutPhrases = (q: string): string =>
  q.replaceAll(item, (text: string, minus: string | undefined, phrase: string | undefined) =>
    phrase === undefined || minus === '-' ? text : ` ${phrase.replaceAll(minusOfWord, '')} `,
  );

/** In a phrase it excludes nothing. */
const minusOfWord = /(?<=^|\s)-+/g;

/** Single hiragana are particles and endings: they are looked for only where there is nothing else. */
const withoutParticles = (items: readonly QueryItem[]): readonly QueryItem[] => {
  const rest = items.filter(({ node }) => !('word' in node && particle.test(node.word)));
  return rest.length > 0 ? rest : items;
};
const particle = /^\p{sc=Hiragana}$/u;

const tokensOf = (text: string): Token[] => {
  const tokens: Token[] = [];
  tokenize(text, (token) => {
    // A sign with an accent folds to nothing.
    if (token.term !== '') {
      tokens.push(token);
    }
  });
  return tokens;
};

/** Terms that are next to each other in the text; null: there are none. */
const nodeOfPhrase = (phrase: string): QueryNode | null => {
  const placed = tokensOf(phrase).filter(
    ({ kind, position }) => kind !== 'whole' && position !== null,
  );
  const last = placed.at(-1);
  const beforeLast = placed.at(-2);
  if (last?.kind !== 'character') {
    return nextTo(placed);
  }
  // A note may go on where the phrase ends, and then has a pair there.
  return beforeLast?.kind === 'pair' && beforeLast.end === last.end
    ? nextTo(placed.slice(0, -1))
    : nextTo([...placed.slice(0, -1), { term: last.term, isPrefix: true }]);
};

const nextTo = (terms: readonly QueryTerm[]): QueryNode | null =>
  terms.length === 0
    ? null
    : { next: terms.map(({ term, isPrefix }) => (isPrefix ? { term, isPrefix } : { term })) };

/** Without spaces between them, words with these signs belong together, as in addresses and versions. */
const glue = /^[./:@\\#~]+$/;

/** A word, an identifier, an address, or a text of a script without spaces; null: there are only signs. */
const nodeOfWord = (text: string, isPrefix: boolean): QueryNode | null => {
  const nodes = joinGlued(unitsOf(text), text);
  const last = nodes.at(-1);
  const all = isPrefix && last ? [...nodes.slice(0, -1), prefixed(last)] : nodes;
  const [first] = all;
  return first === undefined ? null : all.length === 1 ? first : { all };
};

/** A part of a word: a plain word (`term`), or the nodes of something else. */
type Unit = {
  readonly start: number;
  readonly end: number;
  readonly term?: string;
  readonly nodes: readonly QueryNode[];
};

const unitsOf = (text: string): Unit[] => {
  const units: Unit[] = [];
  let tokens: readonly Token[] = tokensOf(text);
  for (let [token] = tokens; token; [token] = tokens) {
    const { unit, count } = firstUnit(token, tokens, text);
    units.push(unit);
    tokens = tokens.slice(count);
  }
  return units;
};

type FirstUnit = { readonly unit: Unit; readonly count: number };

const firstUnit = (token: Token, tokens: readonly Token[], text: string): FirstUnit => {
  const { term, kind, start } = token;
  if (kind === 'word') {
    return { unit: { start, end: token.end, term, nodes: [{ word: term }] }, count: 1 };
  }
  if (kind === 'whole') {
    const parts = tokens.slice(1).filter((part) => part.end <= token.end);
    const next = parts.map((part) => ({ term: part.term }));
    const nodes = [{ any: [{ word: term }, { next }] }];
    return { unit: { start, end: token.end, nodes }, count: 1 + parts.length };
  }
  // A run of ideographs or kana ends with the character that has a position.
  const last = tokens.findIndex((one) => one.kind === 'character' && one.position !== null);
  const end = tokens[last]?.end ?? token.end;
  return { unit: { start, end, nodes: nodesOfRun(text.slice(start, end)) }, count: last + 1 };
};

/** Words that are glued together are looked for next to each other. */
const joinGlued = (units: readonly Unit[], text: string): QueryNode[] => {
  const nodes: QueryNode[] = [];
  let glued: QueryTerm[] = [];
  for (const [index, { end, term, nodes: own }] of units.entries()) {
    const following = units[index + 1];
    const isGlued = following?.term !== undefined && glue.test(text.slice(end, following.start));
    const isFirst = glued.length === 0;
    if (term !== undefined && (isGlued || !isFirst)) {
      glued.push({ term });
    } else {
      nodes.push(...own);
    }
    if (!isGlued && glued.length > 0) {
      nodes.push({ next: glued });
      glued = [];
    }
  }
  return nodes;
};

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** The words of a run of ideographs or kana: a word of several characters is a sequence of pairs. */
const nodesOfRun = (run: string): QueryNode[] => {
  const words = [...segmenter.segment(run)].map(({ segment }) => segment);
  const meaningful = words.filter((word) => !particle.test(word));
  return (meaningful.length > 0 ? meaningful : words).flatMap((word): QueryNode[] => {
    const tokens = tokensOf(word);
    const sequence = tokens.filter(({ kind }) => kind === 'pair');
    return sequence.length > 0
      ? [{ next: sequence.map(({ term }) => ({ term })) }]
      : tokens.map(({ term }) => ({ word: term }));
  });
};

/** The node with its last term as a prefix. */
const prefixed = (node: QueryNode): QueryNode => {
  if ('word' in node) {
    return isLetters.test(node.word) ? { ...node, isPrefix: true } : node;
  }
  if ('any' in node) {
    return { any: node.any.map(prefixed) };
  }
  if ('all' in node) {
    return { all: [...node.all.slice(0, -1), ...node.all.slice(-1).map(prefixed)] };
  }
  const last = node.next.at(-1);
  return last && isLetters.test(last.term)
    ? { next: [...node.next.slice(0, -1), { term: last.term, isPrefix: true }] }
    : node;
};
/** Ideographs and kana are found wherever they are; they need no prefix. */
const isLetters = /^(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])/u;
