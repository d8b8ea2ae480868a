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

type Charged = Cost & Pick<Schema<'Run'>, 'status'>;

/** Why a run costs more than it reported, and what one can do; null: it does not, or it said so itself. */
export const describeCharge = (run: Charged): string | null => {
  const { status, costCents, reportedCents, reservedCents } = run;
  const isStopped = status === 'cancelled' || status === 'expired';
  const isOfReservation = costCents === reservedCents && reservedCents > (reportedCents ?? 0);
  return isStopped && isOfReservation ? reservationCharged : null;
};

const reservationCharged =
  'A run that is stopped or expires is charged all it reserved; let it reserve less, or end itself with its cost.';
