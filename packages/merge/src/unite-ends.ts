import { bodyOf, withEnd } from './final-line-feed.ts';
import type { Texts } from './texts.ts';

/** The lines at one end of a text, in its base and in its two descendants. */
export type End = {
  readonly at: 'start' | 'end';
  readonly base: readonly string[];
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
};

/**
 * Combines what both descendants added at the same end of a text: ours first, because it arrived first. A common
 * beginning is kept once. If one addition contains the other, the longer one is the result, so that merging a
 * change twice adds nothing. Null when either side changed more than it added, or when both added the same line
 * at different places: a duplicate cannot be distinguished from a repetition.
 */
export const uniteEnds = ({ at, base, ours, theirs }: End): string[] | null => {
  const [first, second] = [additionOf(at, base, ours), additionOf(at, base, theirs)];
  const added = first && second && unite(first, second);
  if (!added) {
    return null;
  }
  return at === 'end' ? [...base, ...added] : [...added, ...base];
};

/**
 * Combines two texts that both only continue a text. What one of them adds to its last line stays in that line, and the
 * lines that both add come below it, in order of arrival. Null when either changed more, or when both continue the last
 * line differently; an empty text is continued by anything.
 */
export const uniteAppended = (texts: Texts): string | null => {
  const { base, ours, theirs } = texts;
  if (base === '' || !ours.startsWith(base) || !theirs.startsWith(base)) {
    return null;
  }
  const body = bodyOf(base);
  const [first, second] = [continuationOf(body, ours), continuationOf(body, theirs)];
  const ending = first.ending === '' ? second.ending : first.ending;
  if (second.ending !== '' && second.ending !== ending) {
    return null;
  }
  const added = unite(first.lines, second.lines) ?? [...first.lines, ...second.lines];
  return withEnd(texts, [body + ending, ...added].join('\n'));
};

/** What a text adds to the last line of the one that it continues, and the lines below. */
const continuationOf = (body: string, text: string) => {
  const [ending = '', ...lines] = bodyOf(text).slice(body.length).split('\n');
  return { ending, lines };
};

/** What a text adds to its base; null means the whole base is not at the other end, in one piece. */
const additionOf = (
  at: End['at'],
  base: readonly string[],
  text: readonly string[],
): readonly string[] | null => {
  const count = text.length - base.length;
  if (count < 0) {
    return null;
  }
  const [kept, added] =
    at === 'end'
      ? [text.slice(0, base.length), text.slice(base.length)]
      : [text.slice(count), text.slice(0, count)];
  return base.every((line, index) => line === kept[index]) ? added : null;
};

const unite = (first: readonly string[], second: readonly string[]): readonly string[] | null => {
  if (contains(first, second)) {
    return first;
  }
  if (contains(second, first)) {
    return second;
  }
  const shared = sharedStart(first, second);
  const rest = second.slice(shared);
  const known = new Set(first.slice(shared).filter(hasWords));
  return rest.some((line) => known.has(line)) ? null : [...first, ...rest];
};

/** The number of common leading lines. Blank lines and rules alone do not count: each side needs its own. */
const sharedStart = (first: readonly string[], second: readonly string[]): number => {
  let count = 0;
  while (count < first.length && first[count] === second[count]) {
    count += 1;
  }
  return first.slice(0, count).some(hasWords) ? count : 0;
};

const hasWords = (line: string): boolean => /[\p{L}\p{N}]/u.test(line);

/** Whether `whole` contains `part` in one piece (Knuth-Morris-Pratt: linear, however often lines repeat). */
const contains = (whole: readonly string[], part: readonly string[]): boolean => {
  const borders = bordersOf(part);
  let matched = 0;
  for (const line of whole) {
    while (matched > 0 && (matched === part.length || line !== part[matched])) {
      matched = borders[matched - 1] ?? 0;
    }
    matched += line === part[matched] ? 1 : 0;
    if (matched === part.length) {
      return true;
    }
  }
  return part.length === 0;
};

/** The Knuth-Morris-Pratt table: for every prefix, the length of its longest border. */
const bordersOf = (part: readonly string[]): readonly number[] => {
  const borders = [0];
  let border = 0;
  for (let index = 1; index < part.length; index += 1) {
    while (border > 0 && part[index] !== part[border]) {
      border = borders[border - 1] ?? 0;
    }
    border += part[index] === part[border] ? 1 : 0;
    borders.push(border);
  }
  return borders;
};
