import { diffLines } from '../diff/diff-lines.ts';

/** The replacement of a range of a text. */
export type ContentChange = { readonly from: number; readonly to: number; readonly insert: string };

/** This many changed lines are found quickly; the effort grows with their square. */
const changesMax = 300;

/** The changes that turn one text into another, by lines: what lies between them keeps its place. */
export const contentChanges = (before: string, after: string): readonly ContentChange[] => {
  const parts = diffLines(before, after, { maxEditLength: changesMax });
  if (!parts) {
    return [{ from: 0, to: before.length, insert: after }];
  }
  let from = 0;
  return parts.flatMap(({ value, added, removed }) => {
    const start = from;
    from += added ? 0 : value.length;
    if (added) {
      return [{ from: start, to: start, insert: value }];
    }
    return removed ? [{ from: start, to: from, insert: '' }] : [];
  });
};
