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

/** A place where lines of a text were replaced: from `line`, counted from 1 in the new text. */
export type ChangedPlace = {
  readonly line: number;
  readonly added: number;
  readonly removed: number;
};

const placesMax = 20;
/** Edits are compared while the lock of their company is held: a fraction of a millisecond. */
const placeStepsMax = 20_000;

/** Where two texts differ, in order; what would take too long to compare is one place. */
export const changedPlaces = (before: string, after: string): ChangedPlace[] =>
  diffLines(withLineFeed(before), withLineFeed(after), placeStepsMax)
    .changes.slice(0, placesMax)
    .map(({ afterStart, afterCount, beforeCount }) => ({
      line: afterStart + 1,
      added: afterCount,
      removed: beforeCount,
    }));
