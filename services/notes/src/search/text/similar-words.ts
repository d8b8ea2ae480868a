/** Shorter words are not corrected: most words of three letters are a letter away from another. */
export const correctedMin = 4;
const correctedMax = 32;
const twoEditsMin = 8;

/** Whether a folded word is one that may be a typo of another. */
export const isCorrectable = (word: string): boolean =>
  word.length >= correctedMin && word.length <= correctedMax && /^\p{L}+$/u.test(word);

/** The candidates with the fewest edits from the word, if they are few enough: one, or two in a long word. */
export const mostSimilar = (word: string, candidates: readonly string[]): string[] => {
  const editsMax = word.length >= twoEditsMin ? 2 : 1;
  let best = editsMax;
  let similar: string[] = [];
  for (const candidate of new Set(candidates)) {
    const edits = editsBetween(word, candidate, best);
    if (edits < best) {
      similar = [];
      best = edits;
    }
    if (edits <= best) {
      similar.push(candidate);
    }
  }
  return similar;
};

/** Letters inserted, removed, replaced or swapped with their neighbour; more than `max`: `max + 1`. */
const editsBetween = (a: string, b: string, max: number): number => {
  if (Math.abs(a.length - b.length) > max) {
    return max + 1;
  }
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [beforeLast, last] = [last, current];
  }
  return Math.min(last[b.length] ?? 0, max + 1);
};
