import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import type { DayBarsProps } from './day-bars-props.ts';

const dayLabel = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const heightPx = 200;

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
      referenceLines={limit ? [{ y: limit, color: 'var(--console-chart-limit)' }] : []}
      yAxisProps={{
        width: 64,
        allowDecimals: false,
        // The line is in the chart, however low the bars are.
        domain: [0, (highest: number) => Math.max(highest, limit ?? 0)],
      }}
      tickLine="none"
      barProps={{ isAnimationActive: false, maxBarSize: 40 }}
      barChartProps={{ accessibilityLayer: false }}
    />
  </div>
);
