/** Lines of one text that replace lines of another. Lines count from 0. */
export type LineChange = {
  readonly beforeStart: number;
  readonly beforeCount: number;
  readonly afterStart: number;
  readonly afterCount: number;
};

/**
 * Finds the fewest lines to remove and to add, with the greedy algorithm of Myers ("An O(ND) difference
 * algorithm"). Takes lines as numbers. Null: more than `stepsMax` steps.
 *
 * With bounds that give the same results, the package `diff` holds the event loop five times as long.
 */
export const shortestEdit = (
  before: readonly number[],
  after: readonly number[],
  stepsMax: number,
): LineChange[] | null => {
  const trace = search(before, after, stepsMax);
  return trace && pathOf(trace, before.length, after.length);
};

/** The furthest position in `before` for each diagonal `-d` to `d`, after `d` edits. */
type Reached = Int32Array;

/** Walks until the end of both texts; the result has an entry for each number of edits before the last. */
const search = (
  before: readonly number[],
  after: readonly number[],
  stepsMax: number,
): Reached[] | null => {
  const [beforeEnd, afterEnd] = [before.length, after.length];
  const middle = beforeEnd + afterEnd + 1;
  const reached = new Int32Array(2 * middle + 1);
  const trace: Reached[] = [];
  let steps = 0;
  for (let edits = 0; steps <= stepsMax; edits += 1) {
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const [below, above] = [reached[middle + diagonal - 1], reached[middle + diagonal + 1]];
      let x = isAddition(diagonal, edits, below ?? 0, above ?? 0) ? (above ?? 0) : (below ?? 0) + 1;
      let y = x - diagonal;
      while (x < beforeEnd && y < afterEnd && before[x] === after[y]) {
        x += 1;
        y += 1;
        steps += 1;
      }
      reached[middle + diagonal] = x;
      steps += 1;
      if (x >= beforeEnd && y >= afterEnd) {
        return trace;
      }
    }
    trace.push(reached.slice(middle - edits, middle + edits + 1));
  }
  return null;
};

/** Whether the furthest path to a diagonal comes from the one above, by adding a line. */
// oxlint-disable-next-line max-params -- four numbers of the inner loop
const isAddition = (diagonal: number, edits: number, below: number, above: number): boolean =>
  diagonal === -edits || (diagonal !== edits && below < above);

/** Walks back from the end, and joins edits without equal lines between them. */
const pathOf = (trace: readonly Reached[], beforeEnd: number, afterEnd: number): LineChange[] => {
  const changes: LineChange[] = [];
  let [x, y] = [beforeEnd, afterEnd];
  for (let edits = trace.length; edits > 0; edits -= 1) {
    const reached = trace[edits - 1] ?? new Int32Array();
    const at = (diagonal: number): number => reached[diagonal + edits - 1] ?? 0;
    const diagonal = x - y;
    const isAdded = isAddition(diagonal, edits, at(diagonal - 1), at(diagonal + 1));
    const previous = isAdded ? diagonal + 1 : diagonal - 1;
    x = at(previous);
    y = x - previous;
    const edit = {
      beforeStart: x,
      beforeCount: isAdded ? 0 : 1,
      afterStart: y,
      afterCount: isAdded ? 1 : 0,
    };
    const next = changes.at(-1);
    if (next && isAdjacent(edit, next)) {
      changes.splice(-1, 1, joined(edit, next));
    } else {
      changes.push(edit);
    }
  }
  return changes.toReversed();
};

const isAdjacent = (edit: LineChange, next: LineChange): boolean =>
  edit.beforeStart + edit.beforeCount === next.beforeStart &&
  edit.afterStart + edit.afterCount === next.afterStart;

const joined = (edit: LineChange, next: LineChange): LineChange => ({
  beforeStart: edit.beforeStart,
  beforeCount: edit.beforeCount + next.beforeCount,
  afterStart: edit.afterStart,
  afterCount: edit.afterCount + next.afterCount,
});
