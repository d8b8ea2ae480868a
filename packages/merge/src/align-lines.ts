import { diffIndices } from 'node-diff3';
import { commonEnds, internAll } from './intern.ts';
import { diffSteps } from './merge-text.ts';

/** What replaces a range of lines. Lines count from 0. */
export type Hunk = {
  readonly from: number;
  readonly fromCount: number;
  readonly to: number;
  readonly toCount: number;
};

/** The hunks that turn one list of lines into another, in order; null means more than `steps` steps. */
export const alignLines = (
  before: readonly string[],
  after: readonly string[],
  steps: number,
): Hunk[] | null => {
  const { numbers } = internAll([before, after]);
  const { head, tail } = commonEnds(numbers);
  const [from = [], to = []] = numbers.map((text) => text.slice(head, text.length - tail));
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
