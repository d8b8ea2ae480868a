import type { Schema } from '@commonplace/client';
import { useQuery } from '@tanstack/react-query';
import { usageQuery } from '../../api/usage-queries.ts';
import type { DayBarsProps } from '../../components/day-bars-props.ts';
import { DayChart } from '../../components/day-chart.tsx';
import type { Money } from '../../components/money.ts';
import { useMoney } from '../../components/use-money.ts';
import { useToday } from '../../components/use-today.ts';
import { utcDay } from '../../components/utc-day.ts';

const days = 14;
const dayMs = 86_400_000;

/** What an agent costs: today, and on each of the last UTC days. A run counts on the day on which it started. */
export const AgentSpending = ({ agent }: { readonly agent: Schema<'Agent'> }) => {
  const todayMs = useToday();
  const { format } = useMoney();
  const range = { from: utcDay(todayMs - (days - 1) * dayMs), to: utcDay(todayMs) };
  const query = useQuery(usageQuery(agent.companyId, { ...range, agentId: agent.id }, 'day'));
  return (
    <DayChart
      title="Spending by day"
      query={query}
      chart={(usage) => barsOf(usage, agent.budget.reservedCents, format)}
    />
  );
};

const barsOf = (
  { items, total }: Schema<'Usage'>,
  reservedCents: number,
  format: Money['format'],
): DayBarsProps => {
  const today = items.at(-1);
  const ended = today ? Object.values(today.runs).reduce((sum, count) => sum + count, 0) : 0;
  return {
    label: [
      `Today ${format(today?.costCents ?? 0)} so far, also by running runs; ${ended} ${ended === 1 ? 'run' : 'runs'} ended`,
      ...(reservedCents > 0 ? [`${format(reservedCents)} reserved by what is running`] : []),
      `${format(total.costCents)} in ${days} days`,
    ].join('; '),
    rows: items.map(({ day, costCents }) => ({ day: day ?? '', values: { cost: costCents } })),
    series: [{ name: 'cost', label: 'Spent', color: 'var(--console-chart-main)' }],
    format,
  };
};
