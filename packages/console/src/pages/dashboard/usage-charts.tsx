import { Anchor } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useQuery } from '@tanstack/react-query';
import { allAgentsQuery } from '../../api/agent-queries.ts';
import { noteChangesQuery, usageFile, usageQuery, type DayRange } from '../../api/usage-queries.ts';
import { plural } from '../../components/plural.ts';
import { useMoney } from '../../components/use-money.ts';
import type { DayBarsProps } from '../../components/day-bars-props.ts';
import { DayChart } from '../../components/day-chart.tsx';
import type { Money } from '../../components/money.ts';
import { monthlyLimit } from './monthly-limit.ts';

type UsageProps = { readonly companyId: string; readonly days: DayRange };

const integer = new Intl.NumberFormat();
const formatCount = (count: number): string => integer.format(count);
const countOf = (count: number, noun: string): string =>
  `${formatCount(count)} ${plural(count, noun)}`;

/** A link that saves the numbers of a section. */
export const CsvLink = ({ href, label }: { readonly href: string; readonly label: string }) => (
  <Anchor href={href} download size="sm" className="text-link" aria-label={label}>
    CSV
  </Anchor>
);

/** Costs by day, with the monthly limit of all agents spread over a month. */
export const SpendingByDay = ({ companyId, days }: UsageProps) => {
  const query = useQuery(usageQuery(companyId, days, 'day'));
  const { data: agents } = useQuery(allAgentsQuery(companyId));
  const limitCents = agents === undefined ? null : monthlyLimit(agents);
  const { format } = useMoney();
  return (
    <DayChart
      title="Spending by day"
      query={query}
      chart={(usage) => spendingBars(usage, limitCents, format)}
      actions={<CsvLink href={usageFile(companyId, days, 'day')} label="Usage by day as CSV" />}
    />
  );
};

const daysOfMonth = 30;

const spendingBars = (
  usage: Schema<'Usage'>,
  limitCents: number | null,
  format: Money['format'],
): DayBarsProps => {
  const limit = limitCents === null ? undefined : limitCents / daysOfMonth;
  const sum = `${format(usage.total.costCents)} in ${countOf(usage.items.length, 'day')}`;
  return {
    label:
      limit === undefined
        ? sum
        : `${sum}; the line is a thirtieth of the monthly limit, ${format(limit)}`,
    rows: usage.items.map(({ day, costCents }) => ({
      day: day ?? '',
      values: { cost: costCents },
    })),
    series: [{ name: 'cost', label: 'Spent', color: 'var(--console-chart-main)' }],
    format,
    limit,
  };
};

const outcomes = ['succeeded', 'failed', 'cancelled', 'expired'] as const;

/** Ended runs by day and outcome. */
export const RunsByDay = ({ companyId, days }: UsageProps) => (
  <DayChart
    title="Runs by outcome"
    query={useQuery(usageQuery(companyId, days, 'day'))}
    chart={runBars}
  />
);

const runBars = ({ items, total }: Schema<'Usage'>): DayBarsProps => ({
  label: outcomes.map((outcome) => `${formatCount(total.runs[outcome])} ${outcome}`).join(', '),
  rows: items.map(({ day, runs }) => ({ day: day ?? '', values: runs })),
  series: outcomes.map((name) => ({ name, label: name, color: `var(--console-chart-${name})` })),
  format: formatCount,
});

/** Notes that changed by day. */
export const NotesByDay = ({ companyId, days }: UsageProps) => (
  <DayChart
    title="Notes changed by day"
    query={useQuery(noteChangesQuery(companyId, days))}
    chart={noteBars}
  />
);

const noteBars = ({ items, countedFrom }: Schema<'NoteChangeCounts'>): DayBarsProps => {
  const changes = items.reduce((sum, item) => sum + (item.changes ?? 0), 0);
  return {
    label: `${countOf(changes, 'change')}; a note that changed several times in a day counts once below${countedFrom === null ? '' : `, counted from ${countedFrom.slice(0, 10)} on`}`,
    rows: items.map(({ day, notes }) => ({ day, values: { notes } })),
    series: [{ name: 'notes', label: 'Notes changed', color: 'var(--console-chart-main)' }],
    format: formatCount,
  };
};
