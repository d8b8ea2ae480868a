import { createFairLimiter, type FairLimiter, type FairLimiterOptions } from './fair-limiter.ts';
import { createLimitersByKey } from './limiters-by-key.ts';

/** A task of a group, and whose it is. */
type FairTask<Group extends string> = { readonly group: Group; readonly owner: string };

/** Runs a task as soon as the limit of its group allows it, and no owner keeps the others of its group waiting. */
export type KeyedFairLimiter<Group extends string> = <Result>(
  of: FairTask<Group>,
  task: () => Promise<Result>,
) => Promise<Result>;

/** Creates a concurrency limiter with a limit and a fair queue for each group. Idle groups take no memory. */
export const createKeyedFairLimiter = <Group extends string>(
  options: FairLimiterOptions,
): KeyedFairLimiter<Group> => {
  const withLimiter = createLimitersByKey<Group, FairLimiter>(() => createFairLimiter(options));
  return ({ group, owner }, task) => withLimiter(group, (limit) => limit([owner], task));
};
