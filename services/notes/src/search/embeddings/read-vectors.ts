import { z } from 'zod';
import { toVector, type Vector } from './vectors.ts';

const body = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()) })),
});

type Expected = { readonly count: number; readonly dimensions: number };

/** The vectors of a response in the order of the texts, or what is wrong with it. */
export const readVectors = (
  text: string,
  { count, dimensions }: Expected,
): { readonly vectors: Vector[] } | { readonly problem: string } => {
  const parsed = body.safeParse(jsonOf(text));
  if (!parsed.success) {
    return { problem: 'its response is not one of /v1/embeddings' };
  }
  const { data } = parsed.data;
  const byIndex = new Map(data.map(({ index, embedding }) => [index, embedding]));
  const vectors: Vector[] = [];
  for (let index = 0; index < count; index += 1) {
    const numbers = byIndex.get(index);
    if (numbers === undefined || data.length !== count) {
      return { problem: `it returned ${data.length} vectors for ${count} texts` };
    }
    if (numbers.length !== dimensions) {
      return { problem: `its vectors have ${numbers.length} dimensions, not ${dimensions}` };
    }
    const vector = toVector(numbers);
    if (vector === null) {
      return { problem: 'it returned a vector without a direction' };
    }
    vectors.push(vector);
  }
  return { vectors };
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
