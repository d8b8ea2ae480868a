/** Up to this many comparisons `indexOf` takes less than a millisecond, however it searches. */
const comparisonsMax = 1_000_000;

/** Whether the search of the runtime takes linear time for these texts. */
export const isQuicklyFound = (whole: string, part: string): boolean =>
  whole.length * part.length <= comparisonsMax;

/**
 * The positions of a text in another one, from the start and without overlaps. The time is linear: `indexOf`
 * compares every position with the whole of a repetitive text, which takes minutes for half a MiB.
 */
export const findOccurrences = (whole: string, part: string): number[] => {
  const next = isQuicklyFound(whole, part)
    ? (from: number) => whole.indexOf(part, from)
    : createSearch(whole, part);
  const found: number[] = [];
  for (let at = next(0); at >= 0; at = next(at + part.length)) {
    found.push(at);
  }
  return found;
};

/** A search that continues where the last one ended (Knuth-Morris-Pratt). */
const createSearch = (whole: string, part: string) => {
  const borders = bordersOf(part);
  return (from: number): number => {
    let matched = 0;
    for (let index = from; index < whole.length; index += 1) {
      const unit = whole.charCodeAt(index);
      while (matched > 0 && unit !== part.charCodeAt(matched)) {
        matched = borders[matched - 1] ?? 0;
      }
      matched += unit === part.charCodeAt(matched) ? 1 : 0;
      if (matched === part.length) {
        return index - part.length + 1;
      }
    }
    return -1;
  };
};

/** For every prefix, the length of its longest border. */
const bordersOf = (part: string): Int32Array => {
  const borders = new Int32Array(part.length);
  let border = 0;
  for (let index = 1; index < part.length; index += 1) {
    const unit = part.charCodeAt(index);
    while (border > 0 && unit !== part.charCodeAt(border)) {
      border = borders[border - 1] ?? 0;
    }
    border += unit === part.charCodeAt(border) ? 1 : 0;
    borders[index] = border;
  }
  return borders;
};
