const money = new Intl.NumberFormat(undefined, {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** Formats cents as a decimal amount; the API has no currency. */
export const formatCents = (cents: number): string => money.format(cents / 100);
