import type { Hunk } from './align-lines.ts';

/** What became of the lines of a text in a later one. */
export type Survival = {
  /** The place of each line in the later text; -1: it is gone. */
  readonly places: readonly number[];
  /** Those of the lines that are gone and had others put in their place. */
  readonly replaced: ReadonlySet<number>;
};

/** All lines are in their places. */
export const present = (count: number): Survival => ({
  places: Array.from({ length: count }, (_, index) => index),
  replaced: new Set(),
});

/** What becomes of lines in the next version, by the changes that make it. */
export const followed = ({ places, replaced }: Survival, hunks: readonly Hunk[]): Survival => {
  let hunk = 0;
  let shift = 0;
  const nextReplaced = new Set(replaced);
  const next = places.map((place, line) => {
    if (place < 0) {
      return -1;
    }
    let at = hunks[hunk];
    while (at && at.from + at.fromCount <= place) {
      shift += at.toCount - at.fromCount;
      hunk += 1;
      at = hunks[hunk];
    }
    if (!at || at.from > place) {
      return place + shift;
    }
    if (at.toCount > 0) {
      nextReplaced.add(line);
    }
    return -1;
  });
  return { places: next, replaced: nextReplaced };
};

/** What becomes of lines of one text in a third, by way of a second. */
export const through = ({ places, replaced }: Survival, further: Survival): Survival => ({
  places: places.map((place) => (place < 0 ? -1 : (further.places[place] ?? -1))),
  replaced: new Set([
    ...replaced,
    ...places.flatMap((place, line) => (further.replaced.has(place) ? [line] : [])),
  ]),
});
