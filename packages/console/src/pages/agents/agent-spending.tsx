import type { Schema } from '@commonplace/client';
import { useQuery } from '@tanstack/react-query';
import { recentRunsQuery, type RecentRuns } from '../../api/agent-overview-queries.ts';
import type { DayBarsProps } from '../../components/day-bars-props.ts';
import { DayChart } from '../../components/day-chart.tsx';
import type { Money } from '../../components/money.ts';
import { useMoney } from '../../components/use-money.ts';
import { useToday } from '../../components/use-today.ts';
import { reservedBy, spendingByDay } from './spending-by-day.ts';

const days = 14;
const dayMs = 86_400_000;

/** What an agent costs: today, and on each of the last days. */
export const AgentSpending = ({ agent }: { readonly agent: Schema<'Agent'> }) => {
  const todayMs = useToday();
  const { format } = useMoney();
  // A run may have begun before the days that are shown.
  const since = new Date(todayMs - days * dayMs).toISOString();
  const query = useQuery(recentRunsQuery(agent.companyId, agent.id, since));
  return (
    <DayChart
      title="Spending by day"
      query={query}
      chart={(recent) => barsOf(recent, todayMs, format)}
    />
  );
};

const barsOf = (
  { runs, areAll }: RecentRuns,
  todayMs: number,
  format: Money['format'],
): DayBarsProps => {
  const spending = spendingByDay(runs, { todayMs, days });
  const today = spending.at(-1);
  const reserved = reservedBy(runs);
  const sum = spending.reduce((total, { costCents }) => total + costCents, 0);
  return {
    label: [
      `Today ${format(today?.costCents ?? 0)} in ${today?.runs ?? 0} ${today?.runs === 1 ? 'run' : 'runs'}`,
      ...(reserved > 0 ? [`${format(reserved)} reserved by what is running`] : []),
      `${format(sum)} in ${days} days${areAll ? '' : ', of its last 1,000 runs'}`,
    ].join('; '),
    rows: spending.map(({ day, costCents }) => ({ day, values: { cost: costCents } })),
    series: [{ name: 'cost', label: 'Spent', color: 'var(--console-chart-main)' }],
    format,
  };
};
