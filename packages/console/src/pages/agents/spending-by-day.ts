import type { Schema } from '@commonplace/client';

type Run = Pick<
  Schema<'Run'>,
  'startedAt' | 'finishedAt' | 'status' | 'costCents' | 'reservedCents'
>;

type DaySpending = { readonly day: string; readonly costCents: number; readonly runs: number };

const dayMs = 86_400_000;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** What the runs of an agent cost on each of the last UTC days, oldest first. A run counts on the day of its end. */
export const spendingByDay = (
  runs: readonly Run[],
  { todayMs, days }: { readonly todayMs: number; readonly days: number },
): readonly DaySpending[] =>
  Array.from({ length: days }, (_, index) => {
    const day = dayOf(todayMs - (days - 1 - index) * dayMs);
    const ended = runs.filter(({ finishedAt }) => finishedAt?.slice(0, 10) === day);
    return {
      day,
      costCents: ended.reduce((sum, { costCents }) => sum + (costCents ?? 0), 0),
      runs: ended.length,
    };
  });

/** What running runs may still cost. */
export const reservedBy = (runs: readonly Run[]): number =>
  runs.reduce(
    (sum, { status, reservedCents }) => sum + (status === 'running' ? reservedCents : 0),
    0,
  );
