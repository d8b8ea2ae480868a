import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import type { DayBarsProps } from './day-bars-props.ts';

const dayLabel = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const heightPx = 200;
/** As many days as have space below the bars, also on a phone. */
const daysMax = 5;
/** Space above the chart: for a line at its top with its label, and for the uppermost number beside its line. */
const topPx = 20;

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
      // Left to itself the chart leaves out the days that stand too close to the last one.
      xAxisProps={{ interval: Math.ceil(rows.length / daysMax) - 1 }}
      yAxisProps={{ width: 64, allowDecimals: false }}
      tickLine="none"
      barProps={{ isAnimationActive: false, maxBarSize: 40 }}
      barChartProps={{ accessibilityLayer: false, margin: { top: topPx } }}
    />
  </div>
);
