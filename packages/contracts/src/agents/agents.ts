import { z } from 'zod';
import { byOperators, byReaders } from '../access.ts';
import { agentStatus } from '../caller-roles.ts';
import { lineOfText, pageOf, pageQuery, plainText, timestamp } from '../common.ts';
import { grantList, requestedGrants } from '../grants.ts';
import { agentId, companyId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { agentBudget, budgetLimits } from './budgets.ts';
import { companyParams } from './companies.ts';

/** The maximum length of a chain of command. */
export const chainOfCommandMax = 32;

export const agent = z
  .object({
    id: agentId,
    companyId,
    name: z.string(),
    title: z.string(),
    role: z.string().meta({ description: 'Free text, for example `engineer`' }),
    status: agentStatus,
    reportsTo: agentId.nullable().meta({ description: 'The direct manager' }),
    chainOfCommand: z
      .array(z.object({ id: agentId, name: z.string(), title: z.string(), role: z.string() }))
      .meta({ description: 'From the direct manager to the top, at most 32' }),
    budget: agentBudget,
    grants: grantList.meta({
      description: 'The folders whose notes its credentials reach at most; null: all notes',
    }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({
    id: 'Agent',
    description:
      'An automated caller. Pausing cancels its runs and makes its keys read-only. Termination is ' +
      'final: it cancels the runs and revokes the keys. Reports keep a terminated manager until they ' +
      'are assigned another.',
  });
export type Agent = z.infer<typeof agent>;

/** The fields of an agent that clients set. */
export const agentFields = {
  name: lineOfText(1, 200),
  role: lineOfText(1, 64),
  title: lineOfText(0, 200),
  reportsTo: agentId.nullable(),
  budget: budgetLimits,
  grants: requestedGrants.nullable(),
};

export const createAgentBody = z.strictObject({
  name: agentFields.name,
  role: agentFields.role,
  title: agentFields.title.default(''),
  reportsTo: agentFields.reportsTo.default(null),
  budget: agentFields.budget.default({}),
  grants: agentFields.grants.default(null),
});
export type CreateAgentBody = z.infer<typeof createAgentBody>;

export const updateAgentBody = z.strictObject(agentFields).partial();
export type UpdateAgentBody = z.infer<typeof updateAgentBody>;

/** The path of one agent. */
export const agentParams = z.object({ agentId });

export const listAgentsContract = routeContract({
  operationId: 'listAgents',
  service: 'agents',
  method: 'get',
  path: '/api/companies/{companyId}/agents',
  tag: 'Agents',
  summary: 'List the agents of a company',
  description: 'Ordered by name, in any status unless `status` is given.',
  params: companyParams,
  query: z.object({
    ...pageQuery,
    status: agentStatus.optional(),
    q: plainText(1, 200)
      .optional()
      .meta({ description: 'Part of name, title or role, case-insensitive' }),
    reportsTo: agentId.optional().meta({ description: 'Only the direct reports of this agent' }),
  }),
  responses: { 200: { description: 'One page of agents', schema: pageOf(agent) } },
  errors: [],
  access: byReaders('agents:read'),
});

export const createAgentContract = routeContract({
  operationId: 'createAgent',
  service: 'agents',
  method: 'post',
  path: '/api/companies/{companyId}/agents',
  tag: 'Agents',
  summary: 'Create an agent',
  params: companyParams,
  body: createAgentBody,
  responses: { 201: { description: 'The new agent', schema: agent } },
  errors: [
    'agent_limit',
    'manager_not_in_company',
    'manager_terminated',
    'chain_too_deep',
    'company_archived',
  ],
  access: byOperators('operator'),
});

export const getAgentContract = routeContract({
  operationId: 'getAgent',
  service: 'agents',
  method: 'get',
  path: '/api/agents/{agentId}',
  tag: 'Agents',
  summary: 'Read an agent',
  params: agentParams,
  responses: { 200: { description: 'The agent', schema: agent } },
  errors: ['not_found'],
  access: byReaders('agents:read', 'agentId'),
});

export const updateAgentContract = routeContract({
  operationId: 'updateAgent',
  service: 'agents',
  method: 'patch',
  path: '/api/agents/{agentId}',
  tag: 'Agents',
  summary: 'Change an agent',
  description:
    'Takes any of the fields of the creation; what is absent stays. A circle in the chain of command ' +
    'is refused, also when two requests would make it together.',
  params: agentParams,
  body: updateAgentBody,
  responses: { 200: { description: 'The agent as it is now', schema: agent } },
  errors: [
    'not_found',
    'agent_terminated',
    'company_archived',
    'manager_cycle',
    'manager_not_in_company',
    'manager_terminated',
    'chain_too_deep',
  ],
  access: byOperators('operator', 'agentId'),
});

export const pauseAgentContract = routeContract({
  operationId: 'pauseAgent',
  service: 'agents',
  method: 'post',
  path: '/api/agents/{agentId}/pause',
  tag: 'Agents',
  summary: 'Pause an agent',
  description:
    'Cancels its running runs. Its keys can still read; writes and new runs are 409 `agent_paused`. ' +
    'Pausing a paused agent changes nothing.',
  params: agentParams,
  responses: { 200: { description: 'The agent', schema: agent } },
  errors: ['not_found', 'agent_terminated', 'company_archived'],
  access: byOperators('operator', 'agentId'),
});

export const resumeAgentContract = routeContract({
  operationId: 'resumeAgent',
  service: 'agents',
  method: 'post',
  path: '/api/agents/{agentId}/resume',
  tag: 'Agents',
  summary: 'Resume a paused agent',
  description:
    'Resuming an active agent changes nothing. 503 `busy` while its previous runs are still being ' +
    'cancelled.',
  params: agentParams,
  responses: { 200: { description: 'The agent', schema: agent } },
  errors: ['not_found', 'agent_terminated', 'company_archived'],
  access: byOperators('operator', 'agentId'),
});

export const terminateAgentContract = routeContract({
  operationId: 'terminateAgent',
  service: 'agents',
  method: 'post',
  path: '/api/agents/{agentId}/terminate',
  tag: 'Agents',
  summary: 'Terminate an agent permanently',
  description:
    'Final: cancels its runs, revokes its keys, and its credentials are 401 from then on. Terminating it again changes nothing.',
  params: agentParams,
  responses: { 200: { description: 'The agent as it is now', schema: agent } },
  errors: ['not_found', 'company_archived'],
  access: byOperators('operator', 'agentId'),
});
