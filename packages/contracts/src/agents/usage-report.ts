import { z } from 'zod';
import { cents, lineOfText, plainText, timestamp, tokens } from '../common.ts';

/** How long the token of a run that has ended may repeat its reports, in hours. */
export const endedRunHours = 1;

/** How long the reports of a run are kept after it was booked, in days. */
export const usageReportDays = 90;

/** The number of models in the sums of a day; what further models use is summed without a model. */
export const modelsPerDayMax = 100;

export const reportUsageBody = z.strictObject({
  mutationId: plainText(1, 64).meta({
    description: 'Unique in the run. A report is booked once, however often it is sent',
  }),
  costCents: cents.optional().meta({ description: 'What was spent since the report before' }),
  inputTokens: tokens.optional().meta({ description: 'Used since the report before' }),
  outputTokens: tokens.optional().meta({ description: 'Used since the report before' }),
  model: lineOfText(1, 100).optional().meta({ description: 'What used it' }),
});
export type ReportUsageBody = z.infer<typeof reportUsageBody>;

export const reportOutcome = z.enum(['booked', 'exceeded', 'refused']);
export type ReportOutcome = z.infer<typeof reportOutcome>;

export const usageReport = z
  .object({
    mutationId: z.string(),
    at: timestamp,
    costCents: z.int().nullable(),
    inputTokens: z.int(),
    outputTokens: z.int(),
    model: z.string().nullable(),
    outcome: reportOutcome.meta({
      description:
        '`booked`; `exceeded`: booked, and beyond a limit, which ended the run; `refused`: not booked, because a ' +
        'limit was exceeded before, which ended the run, or because the run had ended',
    }),
    total: z
      .object({ costCents: z.int().nullable(), inputTokens: z.int(), outputTokens: z.int() })
      .meta({ description: 'The sums of the run after this report' }),
  })
  .meta({ id: 'UsageReport', description: 'What a run reported to have used' });
export type UsageReport = z.infer<typeof usageReport>;

/** The limit that a report exceeded. */
export const exceededLimit = z.object({
  of: z.enum(['agent', 'company']),
  unit: z.enum(['cents', 'tokens']),
  /** `2026-11`. */
  month: z.string(),
  limit: z.int(),
  /** Spent and reserved with this report, or, if it was refused, before it. */
  used: z.int(),
});
export type ExceededLimit = z.infer<typeof exceededLimit>;
