import type { Row } from '../measurement.ts';
import { median } from '../median.ts';

/** The median of what was measured several times, in milliseconds, which may be `bound` at most. */
export const msRow = (name: string, bound: number, times: readonly number[]): Row => ({
  name,
  unit: 'ms',
  value: median(times),
  baseline: null,
  target: { of: 'value', is: 'at most', bound },
  note: `${times.length} times, ${Math.round(Math.min(...times))} to ${Math.round(Math.max(...times))} ms`,
});
