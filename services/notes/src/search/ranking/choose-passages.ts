import type { AnalysedText, Heading, Sentence } from './analyse-note.ts';
import { passageLength, sumOf } from './score-note.ts';

/** A part of a content that says why a note was found. UTF-16 units, lines from 1. */
export type PassageRange = {
  readonly start: number;
  readonly end: number;
  readonly fromLine: number;
  readonly toLine: number;
  readonly headings: readonly string[];
};

const passagesMax = 3;
/** Sentences with words of the query that a passage may begin with: more are only in notes that repeat a word endlessly. */
const beginningsMax = 5_000;

/** The passages of a text with the rarest words of a query close together, the best first, none twice. */
export const choosePassages = (
  { sentences, headings }: AnalysedText,
  weights: readonly number[],
): PassageRange[] => {
  const windows = windowsOf(sentences, weights).toSorted(
    (a, b) => b.score - a.score || a.from - b.from,
  );
  const chosen: Window[] = [];
  const seen = new Set<number>();
  while (chosen.length < passagesMax) {
    const next = bestOf(windows, chosen, { seen, weights });
    if (!next) {
      break;
    }
    chosen.push(next);
    next.groups.forEach((group) => seen.add(group));
  }
  return chosen.flatMap((window) => rangeOf(window, sentences, headings));
};

type Window = {
  readonly from: number;
  /** The index after the last sentence. */
  readonly to: number;
  readonly groups: ReadonlySet<number>;
  readonly score: number;
};

/** Words that an earlier passage has say less. */
const seenFactor = 0.6;

type Seen = { readonly seen: ReadonlySet<number>; readonly weights: readonly number[] };

const bestOf = (
  windows: readonly Window[],
  chosen: readonly Window[],
  { seen, weights }: Seen,
): Window | null => {
  let best: Window | null = null;
  let bestScore = 0;
  for (const window of windows) {
    if (chosen.every(({ from, to }) => window.to <= from || window.from >= to)) {
      const again = sumOf(
        [...window.groups].filter((group) => seen.has(group)),
        weights,
      );
      const score = window.score - (1 - seenFactor) * again;
      if (score > bestScore) {
        [best, bestScore] = [window, score];
      }
    }
  }
  return best;
};

/** The runs of sentences of one section that fit in a passage, from each sentence with a word of the query. */
const windowsOf = (sentences: readonly Sentence[], weights: readonly number[]): Window[] => {
  let beginnings = 0;
  return sentences.flatMap((first, from) => {
    if (first.hits.length === 0 || beginnings === beginningsMax) {
      return [];
    }
    beginnings += 1;
    let to = from;
    const groups = new Set<number>();
    let hits = 0;
    for (; to < sentences.length; to += 1) {
      const { end, heading, hits: own } = sentences[to] ?? first;
      if (to > from && (end - first.start > passageLength || heading !== first.heading)) {
        break;
      }
      hits += own.length;
      own.forEach(({ group }) => groups.add(group));
    }
    const score = sumOf(groups, weights) + 0.05 * Math.min(hits, 10);
    return [{ from, to, groups, score }];
  });
};

/** The part of a text from one sentence to before another, by their index. */
export const rangeOf = (
  { from, to }: Pick<Window, 'from' | 'to'>,
  sentences: readonly Sentence[],
  headings: readonly Heading[],
): PassageRange[] => {
  const first = sentences[from];
  const last = sentences[to - 1];
  return first && last
    ? [
        {
          start: first.start,
          end: last.end,
          fromLine: first.line,
          toLine: last.line,
          headings: headingPath(headings, first.heading),
        },
      ]
    : [];
};

/** The headings that a sentence stands under, the outermost first. */
export const headingPath = (headings: readonly Heading[], index: number): string[] => {
  const path: string[] = [];
  let level = Number.POSITIVE_INFINITY;
  for (let at = index; at >= 0 && level > 1; at -= 1) {
    const heading = headings[at];
    if (heading && heading.level < level) {
      path.unshift(heading.text);
      ({ level } = heading);
    }
  }
  return path;
};
