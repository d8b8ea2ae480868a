import type { DayRange } from '../../api/usage-queries.ts';
import { utcDay } from '../../components/utc-day.ts';

/** The ranges of days that the dashboard offers. */
export const ranges = [
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
  { value: '365', label: 'Last 365 days' },
  { value: 'month', label: 'This month' },
  { value: 'last-month', label: 'Last month' },
  { value: 'custom', label: 'Custom' },
] as const;

/** The range of an address without one. */
export const usualRange = '30';

type RangeName = (typeof ranges)[number]['value'];

/** The range in the address; without a name the usual one. */
export type RangeSearch = {
  readonly range?: RangeName | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

const dayMs = 86_400_000;

/** The UTC days of a range. Ends today, as runs are counted by UTC days. */
export const daysOf = ({ range = usualRange, from, to }: RangeSearch, nowMs: number): DayRange => {
  const today = new Date(nowMs);
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth()];
  switch (range) {
    case 'month':
      return { from: utcDay(Date.UTC(year, month, 1)), to: utcDay(nowMs) };
    case 'last-month':
      return { from: utcDay(Date.UTC(year, month - 1, 1)), to: utcDay(Date.UTC(year, month, 0)) };
    case 'custom':
      return { from: from ?? utcDay(nowMs - 29 * dayMs), to: to ?? utcDay(nowMs) };
    default:
      return { from: utcDay(nowMs - (Number(range) - 1) * dayMs), to: utcDay(nowMs) };
  }
};
