import { z } from 'zod';
import { cents } from '../common.ts';
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
    'Releases the reservation and books `costCents` (default: the reservation), also when it is more. ' +
    'The month in which the run began counts. The same outcome again is 200; another one 409.',
  params: runParams,
  body: z.strictObject({ status: z.enum(['succeeded', 'failed']), costCents: cents.optional() }),
  responses: { 200: { description: 'The run as it ended', schema: run } },
  errors: ['not_found', 'not_own_agent', 'run_finished', 'agent_paused', 'company_archived'],
  access: {
    kind: 'company',
    company: 'entity',
    agents: 'itself_by_key_or_run',
    operators: 'operator',
    entities: { runId: 'run' },
  },
});
