import type { LineChange } from './shortest-edit.ts';

/** A line of the current content, and where it is in the version that is looked at. Lines count from 0. */
export type TracedLine = { readonly line: number; readonly at: number };

/** Lines that a version brought, and the others with their position in the version before. */
export const splitByOrigin = (
  lines: readonly TracedLine[],
  changes: readonly LineChange[],
): { readonly brought: readonly number[]; readonly older: readonly TracedLine[] } => {
  const brought: number[] = [];
  const older: TracedLine[] = [];
  let index = 0;
  let shift = 0;
  for (const { line, at } of lines) {
    let change = changes[index];
    while (change && change.afterStart + change.afterCount <= at) {
      shift += change.beforeCount - change.afterCount;
      index += 1;
      change = changes[index];
    }
    if (change && change.afterStart <= at) {
      brought.push(line);
    } else {
      older.push({ line, at: at + shift });
    }
  }
  return { brought, older };
};

/** Joins adjacent lines with the same origin. Lines of a range count from 1. */
export const rangesOf = <Origin>(
  origins: ReadonlyMap<number, Origin>,
): { readonly fromLine: number; readonly toLine: number; readonly origin: Origin }[] => {
  const ranges: { fromLine: number; toLine: number; origin: Origin }[] = [];
  for (const [line, origin] of [...origins].toSorted(([a], [b]) => a - b)) {
    const last = ranges.at(-1);
    if (last && last.origin === origin && last.toLine === line) {
      last.toLine = line + 1;
    } else {
      ranges.push({ fromLine: line + 1, toLine: line + 1, origin });
    }
  }
  return ranges;
};
