import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import type { DayBarsProps } from './day-bars-props.ts';

const dayLabel = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const heightPx = 200;
/** As many days as have space below the bars, also on a phone. */
const daysMax = 5;
/** Space above the chart: for a line at its top with its label, and for the uppermost number beside its line. */
const topPx = 20;

/** Space for the half of the last label that is beside its bar. */
const rightPx = 16;

/**
 * Which days have a label: the last one, and others at even distances before it. Left to itself the chart leaves out those that
 * stand too close to the last one. In a range of more than a year labels are not unique, and count from the first day.
 */
const labelledDays = (rows: DayBarsProps['rows']) => {
  const step = Math.ceil(rows.length / daysMax);
  const labels = rows.map(({ day }) => dayLabel.format(new Date(day)));
  return new Set(labels).size === labels.length
    ? { interval: 0, ticks: labels.filter((_, index) => (labels.length - 1 - index) % step === 0) }
    : { interval: step - 1 };
};

/** A line that is in the chart, however low the bars are, with its value above it. */
const limitLine = (limit: number, format: DayBarsProps['format']) => ({
  y: limit,
  color: 'var(--console-chart-limit)',
  ifOverflow: 'extendDomain' as const,
  label: format(limit),
  labelPosition: 'insideBottomLeft' as const,
});

/**
 * Bars by day. Loaded when a page shows a chart. The chart is an image to screen readers: the table has its numbers.
 */
export const DayBars = ({ label, rows, series, format, limit }: DayBarsProps) => (
  <div role="img" aria-label={label}>
    <BarChart
      h={heightPx}
      data={rows.map(({ day, values }) => ({ day: dayLabel.format(new Date(day)), ...values }))}
      dataKey="day"
      type="stacked"
      series={series.map(({ name, label: seriesLabel, color }) => ({
        name,
        label: seriesLabel,
        color,
      }))}
      withLegend={series.length > 1}
      legendProps={{ verticalAlign: 'bottom', itemSorter: null }}
      valueFormatter={format}
      referenceLines={limit ? [limitLine(limit, format)] : []}
      xAxisProps={labelledDays(rows)}
      yAxisProps={{ width: 64, allowDecimals: false }}
      tickLine="none"
      barProps={{ isAnimationActive: false, maxBarSize: 40 }}
      barChartProps={{ accessibilityLayer: false, margin: { top: topPx, right: rightPx } }}
    />
  </div>
);
