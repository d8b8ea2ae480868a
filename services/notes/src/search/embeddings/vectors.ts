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

/** The signs of the dimensions of a vector, as text of a bit string. */
export const signsOf = (vector: Vector): string =>
  Array.from(vector, (value) => (value > 0 ? '1' : '0')).join('');

/** The most similar of stored vectors: their cosine, and its place among them. */
export type Similarity = { readonly cosine: number; readonly place: number };

/** The most similar of stored vectors; null: there is none of this length. */
export const bestSimilarity = (vector: Vector, packed: Buffer): Similarity | null => {
  const dimensions = vector.length;
  const stored = new Int8Array(packed.buffer, packed.byteOffset, packed.length);
  if (stored.length === 0 || stored.length % dimensions !== 0) {
    return null;
  }
  const ownSquare = vector.reduce((sum, value) => sum + value * value, 0);
  let best: Similarity = { cosine: -1, place: 0 };
  for (let from = 0; from < stored.length; from += dimensions) {
    let [product, square] = [0, 0];
    for (let at = 0; at < dimensions; at += 1) {
      const value = stored[from + at] ?? 0;
      product += value * (vector[at] ?? 0);
      square += value * value;
    }
    const cosine = product / Math.sqrt(ownSquare * square);
    best = cosine > best.cosine ? { cosine, place: from / dimensions } : best;
  }
  return best;
};
