import type { TakenOutLines } from './apply-take-out.ts';
import type { Survival } from './survival.ts';
import { isTerminated, lineFeed, none, type TextLines } from './text-lines.ts';

/** The texts of a change that is taken out; `unchanged`: where its lines were before it. */
export type Versions = Readonly<Record<'before' | 'written' | 'now', TextLines>> & {
  readonly unchanged: Survival;
};

/**
 * What ends the lines that result. A present line keeps its break, unless the change made it and nobody else another one: then
 * it has that from before, as lines have that come back.
 */
export const breaksOf = (versions: Versions, taken: TakenOutLines): Uint8Array => {
  const { before, written, now, unchanged } = versions;
  const { places } = taken.survival;
  const breaks = new Uint8Array(taken.lines.length);
  const set = (place: number, kind: number = none) => {
    if (place >= 0 && kind !== none) {
      breaks[place] = kind;
    }
  };
  taken.ofNow.forEach((place, at) => set(place, now.breaks[at]));
  places.forEach((place, line) => set(breaks[place] === none ? place : -1, before.breaks[line]));
  unchanged.places.forEach((line, own) => {
    const place = places[line] ?? -1;
    set(breaks[place] === written.breaks[own] ? place : -1, before.breaks[line]);
  });
  const last = breaks.length - 1;
  const isOfOthers = !places.includes(last);
  const isEnded = isOfOthers ? breaks[last] !== none : isEndTerminated(versions);
  fill(breaks, now);
  // A blank last line without a break would be the end of the line above.
  if (taken.lines[last] && !isEnded) {
    breaks[last] = none;
  }
  return breaks;
};

/** A line that was the last one without a break and has others below it now is ended as the line above. */
const fill = (breaks: Uint8Array, now: TextLines): void => {
  let usual = breaks.find(isBreak) ?? now.breaks.find(isBreak) ?? lineFeed;
  for (let line = 0; line < breaks.length; line += 1) {
    usual = breaks[line] || usual;
    breaks[line] = usual;
  }
};

const isBreak = (kind: number): boolean => kind !== none;

/** Whether the text ends with a line break: as before the change, unless others changed that. */
const isEndTerminated = ({ before, written, now }: Versions): boolean =>
  isTerminated(isTerminated(now) === isTerminated(written) ? before : now);
