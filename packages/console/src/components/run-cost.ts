import type { Schema } from '@commonplace/client';

type Cost = Pick<Schema<'Run'>, 'costCents' | 'reportedCents' | 'reservedCents'>;

/** What a run cost; of one that is running, what it reported, which its budget counts already. */
export const describeRunCost = (
  { costCents, reportedCents, reservedCents }: Cost,
  format: (cents: number) => string,
): string => {
  if (costCents !== null) {
    return format(costCents);
  }
  return reportedCents === null && reservedCents > 0
    ? `${format(reservedCents)} reserved`
    : `${format(reportedCents ?? 0)} so far`;
};
