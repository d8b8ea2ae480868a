const money = new Intl.NumberFormat(undefined, {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** Cents as people write amounts; the API knows no currency. */
export const formatCents = (cents: number): string => money.format(cents / 100);
