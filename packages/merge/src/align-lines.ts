import { diffIndices } from 'node-diff3';
import { diffSteps } from './merge-text.ts';

/** What replaces a range of lines. Lines count from 0. */
export type Hunk = {
  readonly from: number;
  readonly fromCount: number;
  readonly to: number;
  readonly toCount: number;
};

/** The hunks that turn one list of lines into another, in order; null: more than `steps` steps. */
export const alignLines = (
  before: readonly string[],
  after: readonly string[],
  steps: number,
): Hunk[] | null => {
  const { head, tail } = commonEnds(before, after);
  const [from, to] = interned(
    before.slice(head, before.length - tail),
    after.slice(head, after.length - tail),
  );
  if (from.length === 0 && to.length === 0) {
    return [];
  }
  if (from.length === 0 || to.length === 0) {
    return [{ from: head, fromCount: from.length, to: head, toCount: to.length }];
  }
  if (diffSteps(from, to) > steps) {
    return null;
  }
  return diffIndices(from, to).map(({ buffer1, buffer2 }) => ({
    from: head + buffer1[0],
    fromCount: buffer1[1],
    to: head + buffer2[0],
    toCount: buffer2[1],
  }));
};

const commonEnds = (before: readonly string[], after: readonly string[]) => {
  const shortest = Math.min(before.length, after.length);
  let head = 0;
  while (head < shortest && before[head] === after[head]) {
    head += 1;
  }
  let tail = 0;
  while (tail < shortest - head && before.at(-1 - tail) === after.at(-1 - tail)) {
    tail += 1;
  }
  return { head, tail };
};

const interned = (
  before: readonly string[],
  after: readonly string[],
): readonly [number[], number[]] => {
  const numberOf = new Map<string, number>();
  const numbers = (lines: readonly string[]): number[] =>
    lines.map((line) => {
      const number = numberOf.get(line) ?? numberOf.size;
      numberOf.set(line, number);
      return number;
    });
  return [numbers(before), numbers(after)];
};
