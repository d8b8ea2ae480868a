import { createLimiter, type Limiter, type LimiterOptions } from './limiter.ts';
import { createShortLivedMap } from './short-lived-map.ts';

/** Runs a task as soon as the limit of its key allows it. */
export type KeyedLimiter<Key extends string> = <Result>(
  key: Key,
  task: () => Promise<Result>,
) => Promise<Result>;

type Entry = { readonly limit: Limiter; taskCount: number };

/** Creates a concurrency limiter with a limit and a queue for each key. Idle keys take no memory. */
export const createKeyedLimiter = <Key extends string>(
  options: LimiterOptions,
): KeyedLimiter<Key> => {
  const entries = createShortLivedMap<Key, Entry>();

  return async (key, task) => {
    const entry = entries.get(key) ?? { limit: createLimiter(options), taskCount: 0 };
    entries.set(key, entry);
    entry.taskCount += 1;
    try {
      return await entry.limit(task);
    } finally {
      entry.taskCount -= 1;
      if (entry.taskCount === 0) {
        entries.delete(key);
      }
    }
  };
};
