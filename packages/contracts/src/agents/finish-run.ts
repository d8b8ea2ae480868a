import { z } from 'zod';
import { cents, lineOfText } from '../common.ts';
import { routeContract } from '../route-contract.ts';
import { run, runParams } from './run.ts';

export const finishRunContract = routeContract({
  operationId: 'finishRun',
  service: 'agents',
  method: 'post',
  path: '/api/runs/{runId}/finish',
  tag: 'Runs',
  summary: 'End a run with its outcome',
  description:
    'Releases the reservation and charges `costCents`, even if it is more, to the month in which the run started. ' +
    '`costCents` is the total, whatever was reported before; by default it is the sum of the reported costs, or ' +
    'the reservation if none was reported. Repeating the same outcome is 200; another one is 409.',
  params: runParams,
  body: z.strictObject({
    status: z.enum(['succeeded', 'failed']),
    costCents: cents.optional(),
    reason: lineOfText(1, 500)
      .optional()
      .meta({ description: 'Why the run ended so, as an operator should read it' }),
  }),
  responses: { 200: { description: 'The ended run', schema: run } },
  errors: ['not_found', 'not_own_agent', 'run_finished', 'agent_paused', 'company_archived'],
  access: {
    kind: 'company',
    company: 'entity',
    agents: 'itself_by_key_or_run',
    scope: 'runs:write',
    operators: 'operator',
    entities: { runId: 'run' },
  },
});
