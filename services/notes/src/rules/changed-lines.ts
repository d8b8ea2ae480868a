import { diffLines } from './line-diff.ts';

/** A few hundred microseconds of comparison. */
const stepsMax = 100_000;

/** How many lines a version adds and removes; undefined: too much to compare. */
export const changedLines = (
  before: string,
  after: string,
): { readonly linesAdded: number; readonly linesRemoved: number } | undefined => {
  const { changes, isExact } = diffLines(withLineFeed(before), withLineFeed(after), stepsMax);
  return isExact
    ? {
        linesAdded: changes.reduce((sum, { afterCount }) => sum + afterCount, 0),
        linesRemoved: changes.reduce((sum, { beforeCount }) => sum + beforeCount, 0),
      }
    : undefined;
};

/** The text with a line feed at its end, so that appending a line does not change the one before. */
export const withLineFeed = (text: string): string =>
  text === '' || text.endsWith('\n') ? text : `${text}\n`;
