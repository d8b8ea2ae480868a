import type { Schema } from '@commonplace/client';

/** Whether nothing is left of a monthly budget, with what running runs reserve. */
export const isUsedUp = ({
  spentCents,
  reservedCents,
  monthlyCents,
}: Schema<'Agent'>['budget']): boolean =>
  monthlyCents !== null && spentCents + reservedCents >= monthlyCents;
