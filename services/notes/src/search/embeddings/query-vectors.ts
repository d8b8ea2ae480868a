import { TextsNotEmbeddedError, type Embed } from './create-client.ts';
import type { Vector } from './vectors.ts';

/** A search waits so long for the vector of its query. */
const waitMaxMs = 250;
/** The request itself goes on, so that the same query has its vector the next time. */
const requestMaxMs = 5_000;
/** After a failure or a late response, queries are ranked by words for so long. */
const pauseMs = 10_000;
/** Requests at once; further queries are ranked by words. */
const runningMax = 8;
/** Queries whose vectors are remembered; one of 1,536 dimensions takes about 2 KB. */
const rememberedMax = 1_000;

/** The vector of a query; null: it is not to be had in time. */
export type VectorOfQuery = (query: string) => Promise<Vector | null>;

/** Creates the embedding of queries: remembered, bounded in time, and paused while the service is unavailable or slow. */
export const createQueryVectors = (embed: Embed, now = () => performance.now()): VectorOfQuery => {
  const remembered = new Map<string, Vector>();
  const running = new Map<string, Promise<Vector | null>>();
  let pausedUntil = 0;

  const pauseRequests = () => {
    pausedUntil = now() + pauseMs;
    return null;
  };
  const remember = (query: string, vector: Vector): Vector => {
    const [oldest] = remembered.keys();
    if (remembered.size >= rememberedMax && oldest !== undefined) {
      remembered.delete(oldest);
    }
    remembered.set(query, vector);
    return vector;
  };
  const request = (query: string): Promise<Vector | null> => {
    const started = embed({ kind: 'query', texts: [query], timeoutMs: requestMaxMs })
      .then(
        ([vector]) => (vector ? remember(query, vector) : null),
        (error: unknown) => (isRefusal(error) ? null : pauseRequests()),
      )
      .finally(() => running.delete(query));
    running.set(query, started);
    return started;
  };

  return async (query) => {
    const known = remembered.get(query);
    if (known) {
      remembered.delete(query);
      return remember(query, known);
    }
    const current = running.get(query);
    if (!current && (now() < pausedUntil || running.size >= runningMax)) {
      return null;
    }
    return within(current ?? request(query), waitMaxMs, pauseRequests);
  };
};

/** The service is there, and has no vector of this query: others are not to wait for that. */
const isRefusal = (error: unknown): boolean =>
  error instanceof TextsNotEmbeddedError && error.outcome === 'refused';

const within = async (
  result: Promise<Vector | null>,
  ms: number,
  onLate: () => null,
): Promise<Vector | null> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(onLate()), ms);
  });
  try {
    return await Promise.race([result, late]);
  } finally {
    clearTimeout(timer);
  }
};
