/** A limit of tokens and its usage; null: unlimited. */
export type BookedTokens = { readonly monthlyTokens: number | null; readonly spentTokens: number };

/** How many tokens runs may still use this month; null without a limit. Never negative. */
export const remainingTokens = ({ monthlyTokens, spentTokens }: BookedTokens): number | null =>
  monthlyTokens === null ? null : Math.max(0, monthlyTokens - spentTokens);

/** A limit and its usage in cents; null: unlimited. */
export type Bookings = {
  readonly monthlyCents: number | null;
  readonly spentCents: number;
  readonly reservedCents: number;
};

/**
 * What an agent may still reserve this month; null without a limit. Never negative, although runs
 * may cost more than they reserved and limits may be lowered.
 */
export const remainingCents = (bookings: Bookings): number | null => {
  const { monthlyCents, spentCents, reservedCents } = bookings;
  return monthlyCents === null ? null : Math.max(0, monthlyCents - spentCents - reservedCents);
};
