import type { Schema } from '@commonplace/client';

/** The monthly limits of all agents that are not terminated; null if there are none or one has no limit. */
export const monthlyLimit = (agents: readonly Schema<'Agent'>[]): number | null => {
  const limits = agents
    .filter(({ status }) => status !== 'terminated')
    .map(({ budget }) => budget.monthlyCents);
  const isLimited = limits.length > 0 && limits.every((limit) => limit !== null);
  return isLimited ? limits.reduce<number>((sum, limit) => sum + (limit ?? 0), 0) : null;
};
