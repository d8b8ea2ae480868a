import { alignLines } from './align-lines.ts';
import { applyTakeOut, countLines } from './apply-take-out.ts';
import { tooCostly } from './merge-text.ts';
import { survivalOf, through, type Survival } from './survival.ts';
import { breaksOf } from './take-out-breaks.ts';
import { linesOf, textOf, type TextLines } from './text-lines.ts';

/** The steps of one comparison, where it has a thread of its own. */
export const takeOutStepsMax = 25_000_000;

/** Consecutive versions `first` to `last` of a text, by their index. */
export type VersionRange = { readonly first: number; readonly last: number };

export type Removal = {
  /** Consecutive versions of a text; the last one is the present. */
  readonly versions: readonly string[];
  /** What is taken out: ranges from index 1 on, the newest first. */
  readonly ranges: readonly VersionRange[];
};

export type TakenOut = {
  readonly text: string;
  /** The lines of the ranges that stay, because later versions changed them or what is around them. */
  readonly left: readonly string[];
};

/**
 * Takes versions out of the present text by lines, the newest first: lines they added go, lines they removed or replaced
 * come back. Lines that other versions changed since stay as they are, and the lines of the range there are in `left`. A
 * line of another version is never removed: not one between the lines of the range, nor one that was removed and
 * written again later.
 */
export const takeOut = (
  { versions, ranges }: Removal,
  steps: number,
): TakenOut | typeof tooCostly => {
  const texts = versions.map(linesOf);
  const last = texts.length - 1;
  let state: State = { now: texts[last] ?? linesOf(''), at: last, survival: null };
  const left: string[] = [];
  const gone: string[] = [];
  for (const range of ranges) {
    const next = takeRange({ texts, steps }, state, range);
    if (!next) {
      return tooCostly;
    }
    // As arguments, some 100,000 lines would not fit into the stack.
    next.left.forEach((line) => left.push(line));
    next.gone.forEach((line) => gone.push(line));
    state = next.state;
  }
  const before = texts[(ranges.at(-1)?.first ?? 1) - 1]?.lines ?? [];
  const moved = movedLines({ before, lines: state.now.lines }, gone);
  return { text: textOf(state.now), left: [...new Set([...left, ...moved])] };
};

type Texts = { readonly before: readonly string[]; readonly lines: readonly string[] };

/** The lines that others removed in one place and that are in another now. They are theirs, but the change wrote them. */
const movedLines = ({ before, lines }: Texts, gone: readonly string[]): string[] => {
  const [earlier, after] = [countLines(before), countLines(lines)];
  return [...new Set(gone)].filter(
    (line) => line.trim() !== '' && (after.get(line) ?? 0) > (earlier.get(line) ?? 0),
  );
};

/** The text after some ranges were taken out, and where the lines of version `at` are in it; null means it is that version. */
type State = {
  readonly now: TextLines;
  readonly at: number;
  readonly survival: Survival | null;
};

type Taking = { readonly texts: readonly TextLines[]; readonly steps: number };

type Taken = {
  readonly state: State;
  readonly left: readonly string[];
  readonly gone: readonly string[];
};

const takeRange = (
  { texts, steps }: Taking,
  state: State,
  { first, last }: VersionRange,
): Taken | null => {
  const [before, written] = [texts[first - 1] ?? linesOf(''), texts[last] ?? linesOf('')];
  const later = texts.slice(last, state.at + 1).map(({ lines }) => lines);
  const hunks = alignLines(written.lines, before.lines, steps);
  const followed = followLines(later, steps);
  if (!hunks || !followed) {
    return null;
  }
  const unchanged = survivalOf(hunks, written.lines.length);
  const survival = state.survival ? through(followed, state.survival) : followed;
  const { now } = state;
  const taken = applyTakeOut({
    before: before.lines,
    written: written.lines,
    now: now.lines,
    hunks,
    survival,
  });
  const breaks = breaksOf({ before, written, now, unchanged }, taken);
  const next = { now: { lines: taken.lines, breaks }, at: first - 1, survival: taken.survival };
  return { state: next, left: taken.left, gone: taken.gone };
};

/** What became of the lines of the first version in the last one; null means too costly. */
const followLines = (versions: readonly (readonly string[])[], steps: number): Survival | null => {
  const [first = [], ...further] = versions;
  let survival: Survival | null = null;
  for (const [index, next] of further.entries()) {
    const version = versions[index] ?? [];
    const hunks = alignLines(version, next, steps);
    if (!hunks) {
      return null;
    }
    const step = survivalOf(hunks, version.length);
    survival = survival ? through(survival, step) : step;
  }
  return survival ?? survivalOf([], first.length);
};
