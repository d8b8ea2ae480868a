/** A limit and what is booked against it, in cents; a null limit is none. */
export type Bookings = {
  readonly monthlyCents: number | null;
  readonly spentCents: number;
  readonly reservedCents: number;
};

/**
 * What an agent may still reserve this month; null without a limit. Runs may cost more than they
 * reserved, and limits may be lowered: what remains is never negative.
 */
export const remainingCents = (bookings: Bookings): number | null => {
  const { monthlyCents, spentCents, reservedCents } = bookings;
  return monthlyCents === null ? null : Math.max(0, monthlyCents - spentCents - reservedCents);
};
