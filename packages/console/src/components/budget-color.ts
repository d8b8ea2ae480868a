import { isNearLimit } from './is-near-limit.ts';
import { isUsedUp } from './is-used-up.ts';

/** What the use of a budget means: red is wrong, as a failure is, orange will be soon. */
export const budgetColor = (used: number, limit: number): string => {
  const name = isUsedUp(used, limit) ? 'failed' : isNearLimit(used, limit) ? 'expired' : 'main';
  return `var(--console-chart-${name})`;
};
