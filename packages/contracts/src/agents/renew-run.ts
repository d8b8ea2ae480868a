import { z } from 'zod';
import { timestamp } from '../common.ts';
import { routeContract } from '../route-contract.ts';
import { requestedScopes } from '../scopes.ts';
import { secretHeaders } from '../secret-headers.ts';
import { runParams } from './run.ts';

export const renewRunContract = routeContract({
  operationId: 'renewRun',
  service: 'agents',
  method: 'post',
  path: '/api/runs/{runId}/renew',
  tag: 'Runs',
  summary: 'Get a new token for a running run',
  description:
    'The new token has the lifetime of the first one, within 24 hours for the whole run. Previous ' +
    'tokens keep their expiry. The key or operator that renews a run is responsible for it from then on. 409 ' +
    '`key_not_live` with the token of the run, if its key has expired or was rotated. `scopes` narrows the run, and with it all of its tokens, for good. 403 ' +
    '`insufficient_scope` or `folder_not_granted` if the caller lacks what the new token would have.',
  params: runParams,
  body: z.strictObject({
    scopes: requestedScopes
      .optional()
      .meta({ description: 'What the run may do from now on: part of its scopes, by default all' }),
  }),
  responses: {
    200: {
      description: 'The new token',
      schema: z
        .object({ token: z.string(), expiresAt: timestamp })
        .meta({ id: 'RenewedToken', description: 'A run JWT and its expiry' }),
      headers: secretHeaders,
    },
  },
  errors: [
    'not_found',
    'not_own_agent',
    'folder_not_granted',
    'run_finished',
    'key_not_live',
    'agent_paused',
    'company_archived',
  ],
  access: {
    kind: 'company',
    company: 'entity',
    agents: 'itself_by_key_or_run',
    scope: 'runs:write',
    operators: 'operator',
    entities: { runId: 'run' },
  },
});
