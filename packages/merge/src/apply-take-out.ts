import type { Hunk } from './align-lines.ts';
import { survivalOf, through, withPlaces, type Survival } from './survival.ts';

/** Everything by lines; `hunks` turn what was written back into what was before. */
export type TakeOutLines = {
  readonly before: readonly string[];
  readonly written: readonly string[];
  readonly now: readonly string[];
  readonly hunks: readonly Hunk[];
  /** What became of the written lines. */
  readonly survival: Survival;
};

export type TakenOutLines = {
  readonly lines: readonly string[];
  /** Written lines that stay. */
  readonly left: readonly string[];
  /** Written lines that are gone from their place, perhaps because they were moved. */
  readonly gone: readonly string[];
  /** What became of the lines from before. */
  readonly survival: Survival;
  /** The places of the present lines; -1: they are gone. */
  readonly ofNow: Int32Array;
};

/** Repetitions of which each keeps one line more at least; beyond them nothing is taken out. */
const roundsMax = 10;

/**
 * Undoes the hunks of a change in the present lines. A line that the change moved is removed in one place only if it
 * comes back in the other: where it would be lost, it stays.
 */
export const applyTakeOut = (lines: TakeOutLines): TakenOutLines => {
  const input = withGaps(lines);
  const kept = new Set<string>();
  for (let round = 0; round < roundsMax; round += 1) {
    const result = undoHunks(input, (line) => kept.has(line));
    const lost = lostLines(input, result.lines);
    if (lost.length === 0) {
      return result;
    }
    lost.forEach((line) => kept.add(line));
  }
  return undoHunks({ ...input, hunks: [] }, () => true, input.hunks);
};

/** The lines from before the change that would be fewer than they are now. */
const lostLines = ({ before, now }: TakeOutLines, lines: readonly string[]): string[] => {
  const [earlier, present, after] = [before, now, lines].map(countLines) as [
    Counts,
    Counts,
    Counts,
  ];
  return [...present.keys()].filter((line) => {
    const owed = Math.min(present.get(line) ?? 0, earlier.get(line) ?? 0);
    return line.trim() !== '' && (after.get(line) ?? 0) < owed;
  });
};

type Counts = Map<string, number>;

/** How often each line occurs. */
export const countLines = (lines: readonly string[]): Counts => {
  const counts = new Map<string, number>();
  for (const line of lines) {
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return counts;
};

/** For each written line: where the present text goes on behind the last one there before it, and the next one there. */
type WithGaps = TakeOutLines & {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
};

const withGaps = (input: TakeOutLines): WithGaps => {
  const { places } = input.survival;
  const starts = [0];
  for (const place of places) {
    starts.push(place >= 0 ? place + 1 : (starts.at(-1) ?? 0));
  }
  const ends = Array.from({ length: places.length + 1 }, () => input.now.length);
  for (let line = places.length - 1; line >= 0; line -= 1) {
    const place = places[line] ?? -1;
    ends[line] = place >= 0 ? place : (ends[line + 1] ?? input.now.length);
  }
  return { ...input, starts, ends };
};

/** What becomes of the present lines, and of those from before. Lines are named by their index. */
type Edits = {
  /** The line from before that takes the place of a present one; null means it is removed. */
  readonly instead: Map<number, number | null>;
  /** Lines from before that come in front of a present one. */
  readonly inFront: Map<number, number[]>;
  /** Lines from before that are there. */
  readonly found: Map<number, number>;
  /** Lines from before in whose place something else is. */
  readonly replaced: Set<number>;
  readonly left: string[];
};

type IsKept = (line: string) => boolean;

/** `untouched`: hunks that are left as they are. */
const undoHunks = (
  input: WithGaps,
  isKept: IsKept,
  untouched: readonly Hunk[] = [],
): TakenOutLines => {
  const edits: Edits = {
    instead: new Map(),
    inFront: new Map(),
    found: new Map(),
    replaced: new Set(),
    left: [],
  };
  untouched.forEach((hunk) => leaveHunk(input, hunk, edits));
  input.hunks.forEach((hunk) => undoHunk(input, hunk, { isKept, edits }));
  return written(input, edits, [...untouched, ...input.hunks]);
};

/** The lines that result. */
const written = (input: WithGaps, edits: Edits, hunks: readonly Hunk[]): TakenOutLines => {
  const { lines, ofNow, back } = compose(input, edits);
  const undone = hunks.map(({ from, fromCount, to, toCount }) => ({
    from: to,
    fromCount: toCount,
    to: from,
    toCount: fromCount,
  }));
  const changed = { ...survivalOf(undone, input.before.length), replaced: edits.replaced };
  const others = [input.survival, ofNow].reduce(through, changed);
  edits.found.forEach((at, line) => {
    back[line] = ofNow.places[at] ?? -1;
  });
  return {
    lines,
    left: edits.left,
    gone: goneLines(input, hunks),
    survival: withPlaces(others, back),
    ofNow: ofNow.places,
  };
};

type Composed = {
  readonly lines: readonly string[];
  /** What became of the present lines. */
  readonly ofNow: Survival;
  /** The places of lines from before that came back; -1: of others. */
  readonly back: Int32Array;
};

/** Puts the lines together. */
const compose = ({ before, now }: TakeOutLines, edits: Edits): Composed => {
  const lines: string[] = [];
  const back = new Int32Array(before.length).fill(-1);
  const places = new Int32Array(now.length);
  const fronts = new Int32Array(now.length);
  const behinds = new Int32Array(now.length);
  const comeBack = (line: number) => {
    back[line] = lines.push(before[line] ?? '') - 1;
  };
  now.forEach((line, at) => {
    edits.inFront.get(at)?.forEach(comeBack);
    const instead = edits.instead.get(at);
    places[at] = instead === undefined ? lines.length : -1;
    fronts[at] = lines.length;
    if (instead === undefined) {
      lines.push(line);
    } else if (instead !== null) {
      comeBack(instead);
    }
    behinds[at] = lines.length;
  });
  edits.inFront.get(now.length)?.forEach(comeBack);
  const ofNow = { places, replaced: new Set<number>(), fronts, behinds, count: lines.length };
  return { lines, ofNow, back };
};

const goneLines = ({ survival, written: all }: TakeOutLines, hunks: readonly Hunk[]): string[] =>
  hunks
    .flatMap(({ from, fromCount }) => range(from, fromCount))
    .filter((line) => (survival.places[line] ?? -1) < 0)
    .map((line) => all[line] ?? '');

type Undoing = { readonly isKept: IsKept; readonly edits: Edits };

const undoHunk = (input: WithGaps, hunk: Hunk, { isKept, edits }: Undoing): void => {
  const { places } = input.survival;
  const added = range(hunk.from, hunk.fromCount);
  const isThere = (line: number) => (places[line] ?? -1) >= 0 && !isKept(input.written[line] ?? '');
  const remove = (line: number) => edits.instead.set(places[line] ?? 0, null);
  if (hunk.toCount === 0) {
    added.filter(isThere).forEach(remove);
    const isStaying = (line: number) =>
      (places[line] ?? -1) >= 0 || input.survival.replaced.has(line);
    leave(
      input,
      added.filter((line) => !isThere(line) && isStaying(line)),
      edits,
    );
  } else if (isBack(input, hunk)) {
    const at = backAt(input, hunk);
    range(hunk.to, hunk.toCount).forEach((line, index) => edits.found.set(line, at + index));
  } else if (added.length === 0) {
    insert(edits, placeOf(input, hunk), hunk);
  } else if (added.length === hunk.toCount) {
    undoPairs(input, hunk, { isThere, edits });
  } else if (added.every(isThere)) {
    added.forEach(remove);
    insert(edits, places[hunk.from] ?? 0, hunk);
  } else {
    leaveHunk(input, hunk, edits);
  }
};

type Pairs = { readonly isThere: (line: number) => boolean; readonly edits: Edits };

/** As many lines as before, so that each stands for one. */
const undoPairs = (input: WithGaps, hunk: Hunk, { isThere, edits }: Pairs): void => {
  for (const index of range(0, hunk.fromCount)) {
    const [line, earlier] = [hunk.from + index, hunk.to + index];
    if (isThere(line)) {
      edits.instead.set(input.survival.places[line] ?? 0, earlier);
    } else {
      leave(input, [line], edits);
      edits.replaced.add(earlier);
    }
  }
};

const leave = ({ written: all }: TakeOutLines, lines: readonly number[], { left }: Edits): void =>
  lines.forEach((line) => left.push(all[line] ?? ''));

const leaveHunk = (input: TakeOutLines, hunk: Hunk, edits: Edits): void => {
  leave(input, range(hunk.from, hunk.fromCount), edits);
  range(hunk.to, hunk.toCount).forEach((line) => edits.replaced.add(line));
};

const insert = ({ inFront }: Edits, at: number, { to, toCount }: Hunk): void => {
  const there = inFront.get(at) ?? [];
  range(to, toCount).forEach((line) => there.push(line));
  inFront.set(at, there);
};

/** Whether the lines from before are back already, and none of the change is left there. */
const isBack = (input: WithGaps, hunk: Hunk): boolean =>
  range(hunk.from, hunk.fromCount).every((line) => (input.survival.places[line] ?? -1) < 0) &&
  backAt(input, hunk) >= 0;

/** Where the lines from before are in the gap of a hunk; -1: they are not. */
const backAt = ({ starts, ends, now, before }: WithGaps, hunk: Hunk): number => {
  const wanted = before.slice(hunk.to, hunk.to + hunk.toCount);
  const start = starts[hunk.from] ?? 0;
  const end = ends[hunk.from + hunk.fromCount] ?? now.length;
  for (let at = start; at <= end - wanted.length; at += 1) {
    if (wanted.every((line, index) => now[at + index] === line)) {
      return at;
    }
  }
  return -1;
};

/**
 * Where removed lines come back: behind the line they followed, else in front of the next one. Where neither is there any
 * more, what was put in its place counts as the line.
 */
const placeOf = ({ survival: { places, fronts, behinds } }: WithGaps, { from }: Hunk): number => {
  const isThere = (line: number) => (places[line] ?? -1) >= 0;
  const isReplaced = (line: number) => (fronts[line] ?? 0) < (behinds[line] ?? 0);
  const isAboveNext =
    !isThere(from - 1) && (isThere(from) || (!isReplaced(from - 1) && isReplaced(from)));
  return (from > 0 && isAboveNext ? fronts[from] : behinds[from - 1]) ?? 0;
};

const range = (start: number, length: number): number[] =>
  Array.from({ length: Math.max(0, length) }, (_, index) => start + index);
