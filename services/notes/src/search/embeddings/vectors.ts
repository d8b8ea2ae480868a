/** A vector of 8 bits a dimension. Its length says nothing; similarity is that of directions. */
export type Vector = Int8Array;

const most = 127;

/** Reduces numbers to 8 bits each; null: they have no direction. */
export const toVector = (numbers: readonly number[]): Vector | null => {
  const largest = numbers.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
  return largest > 0 && Number.isFinite(largest)
    ? Int8Array.from(numbers, (value) => Math.round((value / largest) * most))
    : null;
};

/** Vectors one after the other, as they are stored. */
export const packVectors = (vectors: readonly Vector[]): Buffer =>
  Buffer.concat(
    vectors.map(({ buffer, byteOffset, length }) => Buffer.from(buffer, byteOffset, length)),
  );

/** The cosine of a vector and the most similar of stored ones; null: there is none of this length. */
export const bestSimilarity = (vector: Vector, packed: Buffer): number | null => {
  const dimensions = vector.length;
  const stored = new Int8Array(packed.buffer, packed.byteOffset, packed.length);
  if (stored.length === 0 || stored.length % dimensions !== 0) {
    return null;
  }
  const ownSquare = vector.reduce((sum, value) => sum + value * value, 0);
  let best = -1;
  for (let from = 0; from < stored.length; from += dimensions) {
    let [product, square] = [0, 0];
    for (let at = 0; at < dimensions; at += 1) {
      const value = stored[from + at] ?? 0;
      product += value * (vector[at] ?? 0);
      square += value * value;
    }
    best = Math.max(best, product / Math.sqrt(ownSquare * square));
  }
  return best;
};
