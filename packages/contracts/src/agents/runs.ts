import { z } from 'zod';
import { byReaders } from '../access.ts';
import { pageOf, pageQuery, timestamp } from '../common.ts';
import { grantList } from '../grants.ts';
import { agentId, companyId, runId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { scopeList } from '../scopes.ts';
import { agentParams } from './agents.ts';
import { companyParams } from './companies.ts';

export const runStatus = z.enum(['running', 'succeeded', 'failed', 'cancelled', 'expired']);
export type RunStatus = z.infer<typeof runStatus>;

export const runTrigger = z.enum(['manual', 'schedule', 'event']);
export type RunTrigger = z.infer<typeof runTrigger>;

/** The maximum duration of a run in hours, with all renewals. */
export const runLifetimeHours = 24;

export const run = z
  .object({
    id: runId,
    agentId,
    companyId,
    status: runStatus,
    trigger: runTrigger,
    scopes: scopeList,
    grants: grantList,
    startedAt: timestamp,
    finishedAt: timestamp.nullable(),
    tokenExpiresAt: timestamp,
    reservedCents: z.int().meta({ description: 'Reserved from the budget at the start' }),
    costCents: z
      .int()
      .nullable()
      .meta({ description: 'Charged at its end; null while it is running' }),
    reportedCents: z.int().nullable().meta({
      description: 'The sum of the costs that it reported; null: it reported none',
    }),
    inputTokens: z.int().meta({ description: 'The sum of those it reported' }),
    outputTokens: z.int().meta({ description: 'The sum of those it reported' }),
    reason: z.string().nullable().meta({
      description:
        'Why it ended so, `budget` if a report exceeded one; null: not known, or running',
    }),
  })
  .meta({
    id: 'Run',
    description:
      'One execution of an agent. Its token is valid while it is running. A run whose token is not ' +
      'renewed in time becomes `expired`.',
  });
export type Run = z.infer<typeof run>;

/** The path of one run. */
export const runParams = z.object({ runId });

export const listCompanyRunsContract = routeContract({
  operationId: 'listCompanyRuns',
  service: 'agents',
  method: 'get',
  path: '/api/companies/{companyId}/runs',
  tag: 'Runs',
  summary: 'List the runs of a company',
  description:
    'The runs of all agents, newest first, unless a filter is given. `running` counts all running runs ' +
    'of the company.',
  params: companyParams,
  query: z.object({
    ...pageQuery,
    status: runStatus.optional(),
    agentId: agentId.optional().meta({ description: 'Only runs of this agent' }),
    since: timestamp.optional().meta({ description: 'Only runs that started then or later' }),
    until: timestamp.optional().meta({ description: 'Only runs that started before' }),
  }),
  responses: {
    200: {
      description: 'One page of runs',
      schema: pageOf(run).extend({
        running: z.int().meta({ description: 'The number of running runs of the company' }),
      }),
    },
  },
  errors: [],
  access: byReaders('agents:read'),
});

export const listRunsContract = routeContract({
  operationId: 'listRuns',
  service: 'agents',
  method: 'get',
  path: '/api/agents/{agentId}/runs',
  tag: 'Runs',
  summary: 'List the runs of an agent',
  description: 'Newest first.',
  params: agentParams,
  query: z.object(pageQuery),
  responses: { 200: { description: 'One page of runs', schema: pageOf(run) } },
  errors: ['not_found'],
  access: byReaders('agents:read', 'agentId'),
});

export const getRunContract = routeContract({
  operationId: 'getRun',
  service: 'agents',
  method: 'get',
  path: '/api/runs/{runId}',
  tag: 'Runs',
  summary: 'Read a run',
  params: runParams,
  responses: { 200: { description: 'The run', schema: run } },
  errors: ['not_found'],
  access: byReaders('agents:read', 'runId'),
});
