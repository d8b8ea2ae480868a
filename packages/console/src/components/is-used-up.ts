import type { Schema } from '@commonplace/client';

/**
 * Whether nothing is left of a limit; null means there is no limit. Where nothing was used, nothing is used up: a limit of 0
 * is a decision, and needs no warning.
 */
export const isUsedUp = (used: number, limit: number | null): boolean =>
  limit !== null && used > 0 && used >= limit;

type Money = Pick<Schema<'Agent'>['budget'], 'spentCents' | 'reservedCents' | 'monthlyCents'>;

/** The same of the money of a monthly budget, with what running runs reserve. */
export const isMoneyUsedUp = ({ spentCents, reservedCents, monthlyCents }: Money): boolean =>
  isUsedUp(spentCents + reservedCents, monthlyCents);
