import type { Hunk } from './align-lines.ts';

/** What became of the lines of a text in a later one. */
export type Survival = {
  /** The place of each line in the later text; -1: it is gone. */
  readonly places: readonly number[];
  /** Those of the lines that are gone and had others put in their place. */
  readonly replaced: ReadonlySet<number>;
  /** Where that begins which stands for each line: the line itself, or what was put in its place. */
  readonly fronts: readonly number[];
  /** Where it ends: where it begins, if nothing stands for the line. */
  readonly behinds: readonly number[];
  /** The number of lines of the later text. */
  readonly count: number;
};

/** What becomes of the lines of a text by the changes that make the next one. The n-th line of a change stands for its n-th. */
export const survivalOf = (hunks: readonly Hunk[], count: number): Survival => {
  const [places, fronts, behinds]: [number[], number[], number[]] = [[], [], []];
  const replaced = new Set<number>();
  let shift = 0;
  const keepUntil = (end: number) => {
    for (let line = places.length; line < end; line += 1) {
      places.push(line + shift);
      fronts.push(line + shift);
      behinds.push(line + shift + 1);
    }
  };
  for (const { from, fromCount, to, toCount } of hunks) {
    keepUntil(from);
    for (let index = 0; index < fromCount; index += 1) {
      const end = index === fromCount - 1 ? toCount : Math.min(index + 1, toCount);
      places.push(-1);
      fronts.push(to + Math.min(index, toCount));
      behinds.push(to + end);
      if (toCount > 0) {
        replaced.add(from + index);
      }
    }
    shift += toCount - fromCount;
  }
  keepUntil(count);
  return { places, replaced, fronts, behinds, count: count + shift };
};

/** What becomes of lines of one text in a third, by way of a second. */
export const through = (earlier: Survival, further: Survival): Survival => {
  const { places, replaced } = earlier;
  const [fronts, behinds]: [number[], number[]] = [[], []];
  for (const [line, front] of earlier.fronts.entries()) {
    const behind = earlier.behinds[line] ?? front;
    const isEmpty = front === behind;
    // What was put since where nothing stood for the line stands for it.
    fronts.push((isEmpty ? further.behinds[front - 1] : further.fronts[front]) ?? 0);
    behinds.push((isEmpty ? further.fronts[front] : further.behinds[behind - 1]) ?? further.count);
  }
  return {
    places: places.map((place) => (place < 0 ? -1 : (further.places[place] ?? -1))),
    replaced: new Set([
      ...replaced,
      ...places.flatMap((place, line) => (further.replaced.has(place) ? [line] : [])),
    ]),
    fronts,
    behinds,
    count: further.count,
  };
};

/** With lines that are there after all. What stands for another line stays between those that precede and follow it. */
export const withPlaces = (survival: Survival, found: ReadonlyMap<number, number>): Survival => {
  const places = survival.places.map((place, line) => found.get(line) ?? place);
  const least: number[] = [];
  for (const [line, place] of places.entries()) {
    least.push(place < 0 ? (least[line - 1] ?? 0) : place + 1);
  }
  const most: number[] = Array.from({ length: places.length });
  for (let line = places.length - 1; line >= 0; line -= 1) {
    const place = places[line] ?? -1;
    most[line] = place < 0 ? (most[line + 1] ?? survival.count) : place;
  }
  const between = (position: number, line: number): number =>
    Math.min(Math.max(position, least[line] ?? 0), most[line] ?? survival.count);
  const isThere = (line: number) => (places[line] ?? -1) >= 0;
  return {
    ...survival,
    places,
    fronts: survival.fronts.map((front, line) =>
      isThere(line) ? (places[line] ?? 0) : between(front, line),
    ),
    behinds: survival.behinds.map((behind, line) =>
      isThere(line) ? (places[line] ?? 0) + 1 : between(behind, line),
    ),
  };
};
