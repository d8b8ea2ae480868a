import { z } from 'zod';

/** The longest range of days that a report covers. */
export const rangeDaysMax = 366;

const dayMs = 86_400_000;

/** The number of days from one day to another, both included. */
export const countDays = (from: string, to: string): number =>
  (Date.parse(to) - Date.parse(from)) / dayMs + 1;

/** The days of a range in order, as `2026-01-31`. */
export const listDays = (from: string, to: string): string[] =>
  Array.from({ length: countDays(from, to) }, (_, index) =>
    new Date(Date.parse(from) + index * dayMs).toISOString().slice(0, 10),
  );

const day = z.iso.date('must be a day, as 2026-01-31').refine(
  // ISO 8601 has days that PostgreSQL has not, such as those of the year 0000.
  (text) => text >= '1970-01-01',
  'must not be before 1970-01-01',
);

/** The query parameters of a report over days. Use it with `dayRangeQuery`. */
const dayRange = {
  from: day.meta({ description: 'The first UTC day' }),
  to: day.meta({ description: 'The last UTC day, included' }),
};

/** The query of a report over a range of UTC days, with further parameters. */
export const dayRangeQuery = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.object({ ...dayRange, ...shape }).superRefine((query, context) => {
    const { from, to } = query as { readonly from: string; readonly to: string };
    const days = countDays(from, to);
    if (days < 1) {
      context.addIssue({ code: 'custom', path: ['to'], message: 'must not be before `from`' });
    }
    if (days > rangeDaysMax) {
      const message = `must be at most ${rangeDaysMax - 1} days after \`from\``;
      context.addIssue({ code: 'custom', path: ['to'], message });
    }
  });
