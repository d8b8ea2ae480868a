import { z } from 'zod';
import { byReaders } from '../access.ts';
import { agentStatus } from '../caller-roles.ts';
import { pageQuery, queryInt, timestamp } from '../common.ts';
import { dayRangeQuery } from '../day-range.ts';
import { agentId, runId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { companyParams } from './companies.ts';
import { runStatus } from './runs.ts';

/** The number of agents in a usage report. */
export const usageAgentsMax = 1_000;

/** The sums of a day and an agent that a report reads at most: a month of 10,000 agents has fewer. */
export const usageRowsMax = 400_000;

const query = dayRangeQuery({
  by: z
    .enum(['day', 'agent', 'model', 'run'])
    .meta({ description: 'What the sums are grouped by' }),
  agentId: agentId
    .optional()
    .meta({ description: 'With `by=day` and `by=run`, only what runs of this agent used' }),
  limit: queryInt(1, usageAgentsMax).optional().meta({
    description:
      'With `by=agent`, `by=model` and `by=run`, their maximum number, 50 if it is left out; `others` has the sum of the other agents or models',
  }),
  cursor: pageQuery.cursor.meta({
    description: 'With `by=run`, the position of the page: `nextCursor` of the previous page',
  }),
  format: z
    .enum(['json', 'csv'])
    .optional()
    .meta({ description: 'The format, whatever `Accept` says' }),
});

const usageSums = z.object({
  runs: z
    .object({ succeeded: z.int(), failed: z.int(), cancelled: z.int(), expired: z.int() })
    .meta({ description: 'Ended runs by outcome' }),
  costCents: z.int(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  reports: z.int().meta({ description: 'The number of reports that were booked' }),
});

const usageItem = usageSums
  .extend({
    day: z.iso.date().nullable().meta({ description: 'With `by=day`' }),
    agent: z
      .object({
        id: agentId,
        name: z.string(),
        status: agentStatus,
        monthlyCents: z.int().nullable().meta({ description: 'Its monthly limit; null: none' }),
      })
      .nullable()
      .meta({ description: 'With `by=agent` and `by=run`' }),
    model: z
      .string()
      .nullable()
      .meta({ description: 'With `by=model`; null there: what no model was reported for' }),
    run: z
      .object({ id: runId, status: runStatus, startedAt: timestamp })
      .nullable()
      .meta({ description: 'With `by=run`' }),
  })
  .meta({ id: 'UsageItem', description: 'What one day, agent, model or run used' });

export const usage = z
  .object({
    from: z.iso.date(),
    to: z.iso.date(),
    total: usageSums,
    items: z.array(usageItem).meta({
      description:
        'Every day of the range in order, or the agents or models, highest cost first, or the runs, newest first',
    }),
    others: usageSums
      .extend({
        agents: z.int(),
        models: z.int().optional().meta({ description: 'With `by=model`' }),
      })
      .nullable()
      .meta({ description: 'The sum of the agents or models beyond `limit`; null: none' }),
    nextCursor: z
      .string()
      .nullable()
      .meta({ description: 'With `by=run`, the position of the next page; null: there is none' }),
  })
  .meta({ id: 'Usage', description: 'What runs used and cost' });
export type Usage = z.infer<typeof usage>;

export const getUsageContract = routeContract({
  operationId: 'getUsage',
  service: 'agents',
  method: 'get',
  path: '/api/companies/{companyId}/usage',
  tag: 'Runs',
  summary: 'Sum up runs, costs and tokens by day, agent, model or run',
  description: `Ended runs, what they cost, and what running ones have reported so far, from sums that are written in the transaction that
books a report or ends a run. A run counts on the UTC day on which it started, as budgets count it, so the days of a month add up to what was spent of
its budget once its runs have ended. By model there is only what reports said, and no count of runs: costs that no report stated are of no model. A day
has sums of up to 100 models; further ones are summed without a model. With \`Accept: text/csv\` or \`format=csv\` the response is a table for spreadsheets. 400 for a range
in which the company has more than 400,000 sums of an agent and a day: \`errors\` names the last day that it can reach.`,
  params: companyParams,
  query,
  responses: {
    200: {
      description: 'The sums, as JSON or as CSV',
      schema: usage,
      csv: 'One line per day, agent, model or run, with a header',
      headers: {
        'Content-Disposition': { description: 'A file name, with CSV', isOptional: true },
      },
    },
  },
  errors: [],
  access: byReaders('agents:read'),
});
