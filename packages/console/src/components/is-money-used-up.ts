import type { Schema } from '@commonplace/client';

type Money = Pick<Schema<'Agent'>['budget'], 'spentCents' | 'reservedCents' | 'monthlyCents'>;

/** Whether no money is left of a monthly budget, with what running runs reserve. */
export const isMoneyUsedUp = ({ spentCents, reservedCents, monthlyCents }: Money): boolean =>
  monthlyCents !== null && spentCents + reservedCents >= monthlyCents;
