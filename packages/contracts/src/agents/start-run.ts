import { z } from 'zod';
import { cents, timestamp } from '../common.ts';
import { routeContract } from '../route-contract.ts';
import { requestedGrants } from '../grants.ts';
import { requestedScopes } from '../scopes.ts';
import { secretHeaders } from '../secret-headers.ts';
import { agentParams } from './agent.ts';
import { run, runTrigger } from './run.ts';

export const startedRun = z
  .object({
    run,
    token: z.string().meta({ description: 'The run JWT' }),
    expiresAt: timestamp,
    env: z
      .object({
        SERVICE_API_KEY: z.string().meta({ description: 'The run JWT' }),
        SERVICE_BASE_URL: z.string(),
        SERVICE_AGENT_ID: z.string(),
        SERVICE_COMPANY_ID: z.string(),
        SERVICE_RUN_ID: z.string(),
        SERVICE_USAGE_URL: z
          .string()
          .meta({ description: 'Where the process reports what it uses, with its token' }),
      })
      .meta({ description: 'Environment for the process of the agent' }),
  })
  .meta({
    id: 'StartedRun',
    description: 'A new run, its token and the environment of its process',
  });

export const startRunContract = routeContract({
  operationId: 'startRun',
  service: 'agents',
  method: 'post',
  path: '/api/agents/{agentId}/runs',
  tag: 'Runs',
  summary: 'Start a run',
  description:
    'Reserves budget and issues a run JWT. An agent may start its own runs with its API key. 409 ' +
    '`budget_exhausted` if spent, reserved and this reservation together exceed the limit of the agent or the company for the ' +
    'month, or nothing remains (the problem has `remainingCents` or `remainingTokens`). 409 `run_limit` at the limit of ' +
    'running runs per agent (100 unless the instance is configured otherwise). 403 ' +
    '`insufficient_scope` if the run is to have a scope that the API key lacks, `folder_not_granted` if it is to reach a folder that the API key does not. Nothing is left ' +
    'behind if the token cannot be issued.',
  params: agentParams,
  body: z.strictObject({
    trigger: runTrigger.default('manual'),
    reserveCents: cents.default(0),
    ttlSeconds: z
      .int()
      .min(60)
      .max(3600)
      .optional()
      .meta({ description: 'Lifetime of the token; defaults to that of the instance' }),
    scopes: requestedScopes.optional().meta({
      description: 'What the token may do; by default as much as the API key that starts the run',
    }),
    grants: requestedGrants.nullable().optional(),
  }),
  responses: {
    201: {
      description: 'The run and its token',
      schema: startedRun,
      headers: secretHeaders,
    },
  },
  errors: [
    'not_found',
    'not_own_agent',
    'folder_not_granted',
    'key_required',
    'agent_paused',
    'agent_terminated',
    'company_archived',
    'budget_exhausted',
    'run_limit',
  ],
  access: {
    kind: 'company',
    company: 'entity',
    agents: 'itself_by_key',
    scope: 'runs:write',
    operators: 'operator',
    entities: { agentId: 'agent' },
  },
});
