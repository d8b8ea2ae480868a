import { createYieldInTime, type YieldInTime } from '@commonplace/concurrency';
import { characterAt, slicesOf } from './slices.ts';
import type { QueryNode, SearchQuery } from './parse-query.ts';
import type { stemsOf } from './stem-word.ts';
import { tokenize } from './tokenize.ts';

/** What the matched words of an excerpt are enclosed in. In the text itself they become `[` and `]`. */
const matchMarks = ['\u27e6', '\u27e7'] as const;

/** UTF-16 units of text in an excerpt, and before its first match. */
const length = 240;
const lead = 60;
/** Matches that are considered. */
const matchesMax = 500;
/** Text that is read before the clock is: a millisecond, several if all words are new. */
const sliceLength = 1_024;
/** A word may be as long as a note, and an excerpt need not know where it ends. */
const sliceLengthMax = 16 * 1_024;
/** Milliseconds before other requests run. */
const yieldAfterMs = 5;

/** A matched word of a text; `word` is that of the query. UTF-16 units. */
export type Match = {
  readonly start: number;
  readonly end: number;
  readonly word: string | number;
};

/** Finds the word of the query that a term is a form of. */
export type MatchTerm = (term: string) => string | null;

/** Creates the comparison of the terms of a text with the words of a query, whatever their form. */
export const createTermMatcher = (
  query: SearchQuery,
  {
    stems,
    corrections,
  }: {
    readonly stems: typeof stemsOf;
    readonly corrections: ReadonlyMap<string, readonly string[]>;
  },
): MatchTerm => {
  const forms = new Map<string, string>();
  const beginnings = new Set<string>();
  const prefixes: string[] = [];
  for (const { word, isPrefix } of query.alternatives.flat().flatMap(wordsOf)) {
    for (const form of [word, ...stems(word), ...(corrections.get(word) ?? [])]) {
      forms.set(form, word);
      beginnings.add(form.slice(0, 2));
    }
    if (isPrefix) {
      prefixes.push(word);
    }
  }
  return (term) => {
    const direct = forms.get(term) ?? prefixes.find((prefix) => term.startsWith(prefix));
    if (direct !== undefined || !beginnings.has(term.slice(0, 2))) {
      return direct ?? null;
    }
    const stem = stems(term).find((one) => forms.has(one));
    return stem === undefined ? null : (forms.get(stem) ?? null);
  };
};

type Word = { readonly word: string; readonly isPrefix: boolean };

const wordsOf = ({ node, isExcluded }: SearchQuery['alternatives'][number][number]): Word[] =>
  isExcluded ? [] : wordsOfNode(node);

const wordsOfNode = (node: QueryNode): Word[] => {
  if ('any' in node || 'all' in node) {
    return ('any' in node ? node.any : node.all).flatMap(wordsOfNode);
  }
  return 'next' in node
    ? node.next.map(({ term, isPrefix = false }) => ({ word: term, isPrefix }))
    : [{ word: node.word, isPrefix: node.isPrefix ?? false }];
};

/** Creates the pauses of one search. */
export const createSearchPauses = (): YieldInTime => createYieldInTime(yieldAfterMs);

/** Finds the words of a query in a text, each by itself. */
export const matchesOf = async (
  text: string,
  match: MatchTerm,
  yieldInTime: YieldInTime,
): Promise<readonly Match[]> => {
  const matches: Match[] = [];
  for (const { start, end } of slicesOf(text, sliceLength, sliceLengthMax)) {
    findMatches({ text: text.slice(start, end), from: start, match }, matches);
    if (matches.length >= matchesMax) {
      break;
    }
    await yieldInTime();
  }
  return matches;
};

/** The part of a text with most of the matched words, on one line, its matches enclosed in `matchMarks`. */
export const excerptOf = (text: string, matches: readonly Match[]): string => {
  const best = bestOf(matches.slice(0, matchesMax));
  const start = beginOf(text, Math.max(0, (best[0]?.start ?? 0) - lead));
  return written(text, { start, end: endOf(text, start + length) }, best);
};

type Slice = { readonly text: string; readonly from: number; readonly match: MatchTerm };

const findMatches = ({ text, from, match }: Slice, matches: Match[]): void => {
  tokenize(text, ({ term, start, end }) => {
    const word = match(term);
    if (word !== null) {
      matches.push({ start: from + start, end: from + end, word });
    }
    return matches.length < matchesMax;
  });
};

/** The matches of the first window with most different words. */
const bestOf = (matches: readonly Match[]): readonly Match[] => {
  let [bestFrom, bestTo, bestWords] = [0, 0, 0];
  for (const [from, { start }] of matches.entries()) {
    const words = new Set<Match['word']>();
    let to = from;
    for (; to < from + nearMax; to += 1) {
      const match = matches[to];
      if (!match || match.end > start + length - lead) {
        break;
      }
      words.add(match.word);
    }
    if (words.size > bestWords) {
      [bestFrom, bestTo, bestWords] = [from, to, words.size];
    }
  }
  return matches.slice(bestFrom, bestTo);
};

/** Matches of an excerpt. */
const nearMax = 40;

/** The next beginning of a word, if it is near. */
const beginOf = (text: string, at: number): number => {
  if (at === 0) {
    return 0;
  }
  const space = text.slice(at, at + lead / 2).search(/\s/);
  return space === -1 ? characterAt(text, at) : at + space + 1;
};

const endOf = (text: string, at: number): number => {
  if (at >= text.length) {
    return text.length;
  }
  const space = text.lastIndexOf(' ', at);
  return space > at - lead / 2 ? space : characterAt(text, at);
};

type Range = { readonly start: number; readonly end: number };

const written = (text: string, { start, end }: Range, matches: readonly Match[]): string => {
  const [open, close] = matchMarks;
  let excerpt = '';
  let at = start;
  for (const range of merged(matches)) {
    if (range.start >= at && range.end <= end) {
      excerpt += `${plain(text.slice(at, range.start))}${open}${plain(text.slice(range.start, range.end))}${close}`;
      at = range.end;
    }
  }
  excerpt += plain(text.slice(at, end));
  const oneLine = excerpt.replaceAll(/\s+/g, ' ').trim();
  return `${start > 0 ? '…' : ''}${oneLine}${end < text.length ? '…' : ''}`;
};

/** Overlapping matches, such as pairs of ideographs and identifiers with their parts, are one. */
const merged = (matches: readonly Match[]): Range[] => {
  const ranges: Range[] = [];
  for (const { start, end } of matches.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = ranges.at(-1);
    if (last && start <= last.end) {
      ranges[ranges.length - 1] = { start: last.start, end: Math.max(last.end, end) };
    } else {
      ranges.push({ start, end });
    }
  }
  return ranges;
};

const plain = (text: string): string => text.replaceAll('\u27e6', '[').replaceAll('\u27e7', ']');
