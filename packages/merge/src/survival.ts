import type { Hunk } from './align-lines.ts';

/** What became of the lines of a text in a later one. */
export type Survival = {
  /** The place of each line in the later text; -1: it is gone. */
  readonly places: Int32Array;
  /** Those of the lines that are gone and had others put in their place. */
  readonly replaced: ReadonlySet<number>;
  /** Where that begins which stands for each line: the line itself, or what was put in its place. */
  readonly fronts: Int32Array;
  /** Where it ends: where it begins, if nothing stands for the line. */
  readonly behinds: Int32Array;
  /** The number of lines of the later text. */
  readonly count: number;
};

/** What becomes of the lines of a text by the changes that make the next one. The n-th line of a change stands for its n-th. */
export const survivalOf = (hunks: readonly Hunk[], count: number): Survival => {
  const places = new Int32Array(count);
  const fronts = new Int32Array(count);
  const behinds = new Int32Array(count);
  const replaced = new Set<number>();
  let [done, shift] = [0, 0];
  const keepUntil = (end: number) => {
    for (; done < end; done += 1) {
      places[done] = done + shift;
      fronts[done] = done + shift;
      behinds[done] = done + shift + 1;
    }
  };
  for (const { from, fromCount, to, toCount } of hunks) {
    keepUntil(from);
    for (let index = 0; index < fromCount; index += 1, done += 1) {
      const end = index === fromCount - 1 ? toCount : Math.min(index + 1, toCount);
      places[done] = -1;
      fronts[done] = to + Math.min(index, toCount);
      behinds[done] = to + end;
      if (toCount > 0) {
        replaced.add(done);
      }
    }
    shift += toCount - fromCount;
  }
  keepUntil(count);
  return { places, replaced, fronts, behinds, count: count + shift };
};

/** What becomes of lines of one text in a third, by way of a second. */
export const through = (earlier: Survival, further: Survival): Survival => {
  const fronts = new Int32Array(earlier.fronts.length);
  const behinds = new Int32Array(earlier.fronts.length);
  const replaced = new Set(earlier.replaced);
  for (let line = 0; line < fronts.length; line += 1) {
    const [front, behind] = [earlier.fronts[line] ?? 0, earlier.behinds[line] ?? 0];
    const isEmpty = front === behind;
    // What was put since where nothing stood for the line stands for it.
    fronts[line] = (isEmpty ? further.behinds[front - 1] : further.fronts[front]) ?? 0;
    behinds[line] =
      (isEmpty ? further.fronts[front] : further.behinds[behind - 1]) ?? further.count;
    if (further.replaced.has(earlier.places[line] ?? -1)) {
      replaced.add(line);
    }
  }
  const places = earlier.places.map((place) => further.places[place] ?? -1);
  return { places, replaced, fronts, behinds, count: further.count };
};

/**
 * With lines that are there after all; -1: it is as it was. What stands for another line stays between those that precede and
 * follow it.
 */
export const withPlaces = (survival: Survival, found: Int32Array): Survival => {
  const places = survival.places.map((place, line) => Math.max(place, found[line] ?? -1));
  const fronts = survival.fronts.slice();
  const behinds = survival.behinds.slice();
  let least = 0;
  for (let line = 0; line < places.length; line += 1) {
    const place = places[line] ?? -1;
    least = place < 0 ? least : place + 1;
    fronts[line] = place < 0 ? Math.max(fronts[line] ?? 0, least) : place;
    behinds[line] = Math.max(behinds[line] ?? 0, least);
  }
  let most = survival.count;
  for (let line = places.length - 1; line >= 0; line -= 1) {
    const place = places[line] ?? -1;
    behinds[line] = place < 0 ? Math.min(behinds[line] ?? 0, most) : place + 1;
    most = place < 0 ? most : place;
    fronts[line] = Math.min(fronts[line] ?? 0, most);
  }
  return { ...survival, places, fronts, behinds };
};
