import { z } from 'zod';
import { byReaders, byRunWriters } from '../access.ts';
import { cents, lineOfText, pageOf, pageQuery, plainText, timestamp, tokens } from '../common.ts';
import { routeContract } from '../route-contract.ts';
import { runParams } from './runs.ts';

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

export const reportUsageContract = routeContract({
  operationId: 'reportUsage',
  service: 'agents',
  method: 'post',
  path: '/api/runs/{runId}/usage',
  tag: 'Runs',
  summary: 'Report what a run has used',
  description: `Adds to what the run has used: send what was used since the report before, with a new \`mutationId\`. A cost within the
reservation of the run is paid from it; what was not reserved counts at once. The report that exceeds a limit of the agent or the
company, in money or tokens, is booked too and gets 409 \`budget_exhausted\`; the run ends as \`cancelled\` with the reason \`budget\`,
and its token is rejected within a second. Where another run exceeded the limit before, a report that would add to it is not
booked (\`booked\` is false in the problem) and its run ends the same way. \`limit\` names what was exceeded. Amounts count in the month in which the run
started; a run that goes on in the next month is checked against both. A repeated report gets the same response again, also after
the end of the run: with the API key, or for an hour with the token of the run. A new report of an ended run is 409
\`run_finished\`, and listed with the run as \`refused\`. The same \`mutationId\` with other amounts is 409 \`mutation_id_reused\`. A run without new amounts need not report: finishing states the total, or adds nothing to what was reported.`,
  params: runParams,
  body: reportUsageBody,
  responses: { 200: { description: 'The report was booked', schema: usageReport } },
  errors: [
    'not_found',
    'not_own_agent',
    'budget_exhausted',
    'run_finished',
    'mutation_id_reused',
    'agent_paused',
    'company_archived',
  ],
  acceptsEndedRun: true,
  changesCredentials: 'never',
  // A repeated report gets its response whatever became of the agent since.
  access: { ...byRunWriters, operators: 'never', state: 'handler' },
});

export const listUsageReportsContract = routeContract({
  operationId: 'listUsageReports',
  service: 'agents',
  method: 'get',
  path: '/api/runs/{runId}/usage',
  tag: 'Runs',
  summary: 'List what a run has reported',
  description: 'Newest first. Reports are kept for 90 days; the run keeps their sums.',
  params: runParams,
  query: z.object(pageQuery),
  responses: { 200: { description: 'One page of reports', schema: pageOf(usageReport) } },
  errors: ['not_found'],
  access: byReaders('agents:read', 'runId'),
});
