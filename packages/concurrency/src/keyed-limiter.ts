import { createLimiter, type Limiter, type LimiterOptions } from './limiter.ts';
import { createLimitersByKey } from './limiters-by-key.ts';

/** Runs a task as soon as the limit of its key allows it. */
export type KeyedLimiter<Key extends string> = <Result>(
  key: Key,
  task: () => Promise<Result>,
) => Promise<Result>;

/** Creates a concurrency limiter with a limit and a queue for each key. Idle keys take no memory. */
export const createKeyedLimiter = <Key extends string>(
  options: LimiterOptions,
): KeyedLimiter<Key> => {
  const withLimiter = createLimitersByKey<Key, Limiter>(() => createLimiter(options));
  return (key, task) => withLimiter(key, (limit) => limit(task));
};
