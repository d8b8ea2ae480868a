import { z } from 'zod';
import { agentStatus } from '../caller-roles.ts';
import { queryIntOr } from '../common.ts';
import { dayRangeQuery } from '../day-range.ts';
import { agentId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { companyParams } from './company.ts';

/** The number of agents in a usage report. */
export const usageAgentsMax = 1_000;

const query = dayRangeQuery({
  by: z.enum(['day', 'agent']).meta({ description: 'What the sums are grouped by' }),
  limit: queryIntOr(50, 1, usageAgentsMax).meta({
    description: 'Maximum number of agents with `by=agent`; `others` has the sum of the rest',
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
      .meta({ description: 'With `by=agent`' }),
  })
  .meta({ id: 'UsageItem', description: 'The ended runs of one day or one agent' });

export const usage = z
  .object({
    from: z.iso.date(),
    to: z.iso.date(),
    total: usageSums,
    items: z.array(usageItem).meta({
      description: 'Every day of the range in order, or the agents with runs, highest cost first',
    }),
    others: usageSums
      .extend({ agents: z.int() })
      .nullable()
      .meta({ description: 'The sum of the agents beyond `limit`; null: none' }),
  })
  .meta({ id: 'Usage', description: 'Ended runs and their costs' });
export type Usage = z.infer<typeof usage>;

export const getUsageContract = routeContract({
  operationId: 'getUsage',
  service: 'agents',
  method: 'get',
  path: '/api/companies/{companyId}/usage',
  tag: 'Runs',
  summary: 'Sum up runs and costs by day or agent',
  description: `Ended runs and what they cost, from sums that are written in the transaction that ends a run. A run counts on the UTC
day on which it started, as budgets count it, so the days of a month add up to what was spent of its budget. With
\`Accept: text/csv\` or \`format=csv\` the response is a table for spreadsheets.`,
  params: companyParams,
  query,
  responses: {
    200: {
      description: 'The sums, as JSON or as CSV',
      schema: usage,
      csv: 'One line per day or agent, with a header',
      headers: {
        'Content-Disposition': { description: 'A file name, with CSV', isOptional: true },
      },
    },
  },
  errors: [],
  access: {
    kind: 'company',
    company: 'path',
    agents: 'own_company',
    scope: 'agents:read',
    operators: 'viewer',
  },
});
