import type { Limiter } from './limiter.ts';

/** Streams parts in one slot of a limiter. The slot is free when the stream ends, fails or is not read any more. */
export async function* streamInSlot<Part>(
  limit: Limiter,
  parts: AsyncIterable<Part>,
): AsyncGenerator<Part, void> {
  const end = Promise.withResolvers<void>();
  await new Promise<void>((resolve, reject) => {
    const holdSlot = () => {
      resolve();
      return end.promise;
    };
    limit(holdSlot).catch(reject);
  });
  try {
    yield* parts;
  } finally {
    end.resolve();
  }
}
