import { z } from 'zod';
import { timestamp } from '../common.ts';
import { routeContract } from '../route-contract.ts';
import { secretHeaders } from '../secret-headers.ts';
import { runParams } from './run.ts';

export const renewRunContract = routeContract({
  operationId: 'renewRun',
  service: 'agents',
  method: 'post',
  path: '/api/runs/{runId}/renew',
  tag: 'Runs',
  summary: 'Get a new token for a run that goes on',
  description:
    'The new token lives as long as the first one did, but no run goes on for more than 24 hours in ' +
    'all. Former tokens keep their own expiry.',
  params: runParams,
  responses: {
    200: {
      description: 'The new token',
      schema: z
        .object({ token: z.string(), expiresAt: timestamp })
        .meta({ id: 'RenewedToken', description: 'A run JWT and its expiry' }),
      headers: secretHeaders,
    },
  },
  errors: ['not_found', 'not_own_agent', 'run_finished', 'agent_paused', 'company_archived'],
  access: {
    kind: 'company',
    company: 'entity',
    agents: 'itself_by_key_or_run',
    operators: 'operator',
    entities: { runId: 'run' },
  },
});
