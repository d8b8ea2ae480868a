import { createShortLivedMap } from './short-lived-map.ts';

/** Runs what uses the limiter of a key. */
export type LimitersByKey<Key extends string, Limiter> = <Result>(
  key: Key,
  use: (limit: Limiter) => Promise<Result>,
) => Promise<Result>;

type Entry<Limiter> = { readonly limit: Limiter; taskCount: number };

/** Creates a limiter for each key when it is used. Idle keys take no memory. */
export const createLimitersByKey = <Key extends string, Limiter>(
  create: () => Limiter,
): LimitersByKey<Key, Limiter> => {
  const entries = createShortLivedMap<Key, Entry<Limiter>>();

  return async (key, use) => {
    const entry = entries.get(key) ?? { limit: create(), taskCount: 0 };
    entries.set(key, entry);
    entry.taskCount += 1;
    try {
      return await use(entry.limit);
    } finally {
      entry.taskCount -= 1;
      if (entry.taskCount === 0) {
        entries.delete(key);
      }
    }
  };
};
