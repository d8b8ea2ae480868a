import { z } from 'zod';
import { byOperators, byRunWriters } from '../access.ts';
import { cents, lineOfText, timestamp } from '../common.ts';
import { requestedGrants } from '../grants.ts';
import { routeContract } from '../route-contract.ts';
import { requestedScopes } from '../scopes.ts';
import { secretHeaders } from '../secret-headers.ts';
import { agentParams } from './agents.ts';
import { run, runParams, runTrigger } from './runs.ts';

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
  changesCredentials: 'by_body',
  access: byRunWriters,
});

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
  access: byRunWriters,
});

export const cancelRunContract = routeContract({
  operationId: 'cancelRun',
  service: 'agents',
  method: 'post',
  path: '/api/runs/{runId}/cancel',
  tag: 'Runs',
  summary: 'Cancel a run',
  description:
    'Its token is rejected within a second, and its cost is the larger of what it reserved and what it reported. Cancelling a ' +
    'cancelled run changes nothing.',
  params: runParams,
  responses: { 200: { description: 'The cancelled run', schema: run } },
  errors: ['not_found', 'run_finished', 'company_archived'],
  access: byOperators('operator', 'runId'),
});
