import { shortestEdit, type LineChange } from './shortest-edit.ts';

export type LineDiff = {
  /** In the order of the texts, with equal lines between them. */
  readonly changes: readonly LineChange[];
  /** False: the comparison would take too long, and one change covers everything between the common ends. */
  readonly isExact: boolean;
  /** The common start of both texts, in whole lines. */
  readonly head: { readonly lines: number; readonly characters: number };
  /** The common end of both texts, in whole lines, and the lines of `before` in front of it. */
  readonly tail: { readonly linesBefore: number; readonly characters: number };
};

/**
 * Bounds of one comparison, a few milliseconds of work together. The characters and lines are those between
 * the common ends of both texts.
 */
const comparedMax = { characters: 128 * 1024, lines: 10_000 } as const;
const diffStepsMax = 100_000;

/**
 * Compares two texts by lines, each with its line feed: a last line without one differs from the same line with
 * one.
 */
export const diffLines = (before: string, after: string, stepsMax = diffStepsMax): LineDiff => {
  if (before === after) {
    const none = { characters: 0 };
    return {
      changes: [],
      isExact: true,
      head: { ...none, lines: 0 },
      tail: { ...none, linesBefore: 0 },
    };
  }
  const { head, tail } = commonEnds(before, after);
  const from = before.slice(head, before.length - tail);
  const to = after.slice(head, after.length - tail);
  const start = countLines(before.slice(0, head));
  const whole = {
    beforeStart: start,
    beforeCount: countLines(from),
    afterStart: start,
    afterCount: countLines(to),
  };
  const common = {
    head: { lines: start, characters: head },
    tail: { linesBefore: start + whole.beforeCount, characters: tail },
  };
  if (whole.beforeCount === 0 || whole.afterCount === 0) {
    return { changes: [whole], isExact: true, ...common };
  }
  const isComparable =
    from.length + to.length <= comparedMax.characters &&
    whole.beforeCount + whole.afterCount <= comparedMax.lines;
  const changes = isComparable ? compare(from, to, stepsMax) : null;
  return changes
    ? { changes: changes.map((change) => shifted(change, start)), isExact: true, ...common }
    : { changes: [whole], isExact: false, ...common };
};

/** The number of lines; a last line without a line feed counts. */
export const countLines = (text: string): number => {
  let count = text === '' || text.endsWith('\n') ? 0 : 1;
  for (let index = 0; index < text.length; index += 1) {
    count += text.charCodeAt(index) === lineFeed ? 1 : 0;
  }
  return count;
};

const lineFeed = 10;

/** Characters of the common lines at the start and at the end, without overlap. */
const commonEnds = (before: string, after: string): { head: number; tail: number } => {
  const shortest = Math.min(before.length, after.length);
  let same = sameBlocks(shortest, (at) => isSameBlock(before, after, at, at));
  while (same < shortest && before.charCodeAt(same) === after.charCodeAt(same)) {
    same += 1;
  }
  const head = same === 0 ? 0 : before.lastIndexOf('\n', same - 1) + 1;
  let tail = sameBlocks(shortest - head, (at) =>
    isSameBlock(
      before,
      after,
      before.length - at - blockCharacters,
      after.length - at - blockCharacters,
    ),
  );
  while (
    tail < shortest - head &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  ) {
    tail += 1;
  }
  const isLineStart = (text: string, position: number): boolean =>
    position === head || text.charCodeAt(position - 1) === lineFeed;
  const position = after.length - tail;
  if (isLineStart(after, position) && isLineStart(before, before.length - tail)) {
    return { head, tail };
  }
  const end = after.indexOf('\n', position);
  return { head, tail: end < 0 ? 0 : after.length - end - 1 };
};

/** Texts are compared in blocks first, which takes a tenth of the time. */
const blockCharacters = 1_024;

/** The characters of the leading blocks that are the same. */
const sameBlocks = (most: number, isSame: (at: number) => boolean): number => {
  let at = 0;
  while (at + blockCharacters <= most && isSame(at)) {
    at += blockCharacters;
  }
  return at;
};

// oxlint-disable-next-line max-params -- two texts and a position in each
const isSameBlock = (before: string, after: string, from: number, to: number): boolean =>
  before.slice(from, from + blockCharacters) === after.slice(to, to + blockCharacters);

const compare = (from: string, to: string, stepsMax: number): LineChange[] | null => {
  const numberOf = new Map<string, number>();
  const numbers = (text: string): number[] =>
    splitLines(text).map((line) => {
      const number = numberOf.get(line) ?? numberOf.size;
      numberOf.set(line, number);
      return number;
    });
  return shortestEdit(numbers(from), numbers(to), stepsMax);
};

/** The lines of a text, each with its line feed. */
export const splitLines = (text: string): string[] => {
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  const ended = lines.map((line) => `${line}\n`);
  return last === '' ? ended : [...ended, last];
};

const shifted = (change: LineChange, lines: number): LineChange => ({
  ...change,
  beforeStart: change.beforeStart + lines,
  afterStart: change.afterStart + lines,
});
