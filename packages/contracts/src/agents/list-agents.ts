import { z } from 'zod';
import { agentStatus } from '../caller-roles.ts';
import { pageOf, pageQuery, plainText } from '../common.ts';
import { agentId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { agent } from './agent.ts';
import { companyParams } from './company.ts';

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
  access: {
    kind: 'company',
    company: 'path',
    agents: 'own_company',
    scope: 'agents:read',
    operators: 'viewer',
  },
});
