import type { QueryItem, QueryNode, QueryTerm, SearchQuery } from './parse-query.ts';
import { anyPhrase, neighbours } from './search-document.ts';
import { rememberedStems } from './remembered-stems.ts';

/** Words to look for in place of others: those a prefix stands for, and corrections. */
export type Replacements = ReadonlyMap<string, readonly string[]>;

export type TsQueryOptions = {
  /** Of the terms of the company. */
  readonly prefix: string;
  readonly corrections?: Replacements;
  /** The words that begin with a prefix; without them the index is read for all that do. */
  readonly completions?: Replacements;
  /** Notes indexed by an earlier release have their words as they are, without the prefix of the company. */
  readonly isRebuilding: boolean;
};

/**
 * A query in the text format of `tsquery`; null: it has no words. Only folded letters and digits of the tokenizer
 * get into it, quoted.
 */
export const toTsQuery = (query: SearchQuery, options: TsQueryOptions): string | null => {
  const alternatives = query.alternatives.map((items) =>
    joined(
      items.map((item) => ofItem(item, options)),
      '&',
    ),
  );
  return alternatives.length === 0 ? null : joined(alternatives, '|');
};

/**
 * The queries that together find what a query finds: one, or one for each word its prefix stands for, because an index
 * scan takes time for every word with every note.
 */
export const toMatchQueries = (
  query: SearchQuery,
  options: TsQueryOptions,
  completions: Replacements,
): string[] => {
  const none = [...completions.keys()].map((word) => [word, []] as const);
  const each = [...completions].flatMap(([word, words]) =>
    words.map((one) => new Map<string, readonly string[]>([...none, [word, [one]]])),
  );
  const sets = each.length > 0 ? each : [new Map(none)];
  return sets.flatMap((one) => toTsQuery(query, { ...options, completions: one }) ?? []);
};

/** A query for the rank alone: the first words in any number, so that ranking takes linear time. */
export const toRankQuery = (query: SearchQuery, options: TsQueryOptions): string | null => {
  const wanted = query.alternatives.flat().filter(({ isExcluded }) => !isExcluded);
  const terms = new Set(wanted.slice(0, rankedMax).flatMap(({ node }) => rankTerms(node, options)));
  return terms.size === 0 ? null : joined([...terms].slice(0, rankedTermsMax), '|');
};

const rankedMax = 16;
const rankedTermsMax = 64;

/** One part of a query in the text format of `tsquery`, such as a word in all its forms. */
export const nodeToTsQuery = (node: QueryNode, options: TsQueryOptions): string =>
  ofNode(node, options);

/** What notes must and must not have, whatever else they match; null: there are neither phrases nor exclusions. */
export const toRequiredQuery = (
  { alternatives }: SearchQuery,
  options: TsQueryOptions,
): string | null => {
  const items = alternatives.flat().filter(({ isExcluded, isPhrase }) => isExcluded || isPhrase);
  return items.length === 0
    ? null
    : joined(
        items.map((item) => ofItem(item, options)),
        '&',
      );
};

/** Whether each alternative names something to find; otherwise a query excludes only. */
export const findsSomething = ({ alternatives }: SearchQuery): boolean =>
  alternatives.length > 0 &&
  alternatives.every((items) => items.some(({ isExcluded }) => !isExcluded));

const ofItem = ({ node, isExcluded }: QueryItem, options: TsQueryOptions): string =>
  isExcluded ? `!${ofNode(node, { ...options, isExact: true })}` : ofNode(node, options);

type NodeOptions = TsQueryOptions & { readonly isExact?: true };

const ofNode = (node: QueryNode, options: NodeOptions): string => {
  if ('any' in node) {
    return joined(
      node.any.map((one) => ofNode(one, options)),
      '|',
    );
  }
  if ('all' in node) {
    return joined(
      node.all.map((one) => ofNode(one, options)),
      '&',
    );
  }
  return 'next' in node ? ofSequence(node.next, options) : ofWord(node, options);
};

const ofWord = (
  node: QueryTerm | { word: string; isPrefix?: true },
  options: NodeOptions,
): string => {
  const word = 'word' in node ? node.word : node.term;
  const forms = formsOf(word, options);
  const completions = node.isPrefix && options.completions?.get(word);
  if (!node.isPrefix || completions) {
    return joined(termsOf([...forms, ...(completions || [])], options), '|');
  }
  return joined([...termsOf(forms, options), quoted(options.prefix + word, true)], '|');
};

/** A word as it is, its stems, and its corrections. */
const formsOf = (word: string, { isExact, corrections }: NodeOptions): string[] => {
  const stems = isExact ? [] : rememberedStems(word);
  return [...new Set([word, ...stems, ...(corrections?.get(word) ?? [])])];
};

const termsOf = (terms: readonly string[], { prefix, isRebuilding }: TsQueryOptions): string[] =>
  terms.flatMap((term) => [quoted(prefix + term), ...(isRebuilding ? [quoted(term)] : [])]);

/**
 * Terms next to each other. In a note without all positions their neighbours are looked for, and in one with too
 * many neighbours all words: a phrase is never missed, but a very long note may have its words elsewhere.
 */
const ofSequence = (terms: readonly QueryTerm[], options: NodeOptions): string => {
  const single = (one: QueryTerm) => ofWord(one, { ...options, isExact: true });
  const words = terms.map(single);
  if (words.length < 2) {
    return joined(words, '|');
  }
  const { prefix, isExact } = options;
  const pairs = terms.slice(1).flatMap(({ term, isPrefix }, index) => {
    const before = terms[index];
    // A beginning has no pair. The only one of a query may be the whole word, and is looked for as that.
    return before && (!isPrefix || terms.length === 2)
      ? [quoted(prefix + neighbours(before.term, term))]
      : [];
  });
  const inOrder = joined(words, '<->');
  const ways = [inOrder, ...(pairs.length > 0 ? [joined([...pairs, ...words], '&')] : [])];
  const unknown = joined([quoted(prefix + anyPhrase), ...words], '&');
  return joined(isExact ? ways : [...ways, unknown], '|');
};

const rankTerms = (node: QueryNode, options: TsQueryOptions): string[] => {
  if ('any' in node || 'all' in node) {
    return ('any' in node ? node.any : node.all).flatMap((one) => rankTerms(one, options));
  }
  const terms = 'next' in node ? node.next : [node];
  return terms.flatMap((one) => {
    const word = 'word' in one ? one.word : one.term;
    const forms = 'word' in one ? formsOf(word, options) : [word];
    return [
      ...termsOf(forms, options),
      ...(one.isPrefix ? [quoted(options.prefix + word, true)] : []),
    ];
  });
};

const joined = (parts: readonly string[], operator: '&' | '|' | '<->'): string =>
  parts.length === 1 ? (parts[0] ?? '') : `(${parts.join(` ${operator} `)})`;

/** A term in the text format of `tsquery`. */
export const quotedTerm = (term: string): string => quoted(term);

const quoted = (term: string, isPrefix = false): string =>
  `'${term.replaceAll('\\', '\\\\').replaceAll("'", "''")}'${isPrefix ? ':*' : ''}`;
