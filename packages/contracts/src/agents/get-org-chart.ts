import { z } from 'zod';
import { agentStatus, type AgentStatus } from '../caller-roles.ts';
import { routeContract } from '../route-contract.ts';
import { companyParams } from './company.ts';

/** An agent in the org chart; it holds itself, which is why its type is spelt out. */
export type OrgChartNode = {
  id: string;
  name: string;
  title: string;
  role: string;
  status: AgentStatus;
  reports: OrgChartNode[];
};

export const orgChartNode: z.ZodType<OrgChartNode, OrgChartNode> = z
  .object({
    id: z.string().meta({ format: 'uuid' }),
    name: z.string(),
    title: z.string(),
    role: z.string(),
    status: agentStatus,
    get reports() {
      return z.array(orgChartNode);
    },
  })
  .meta({ id: 'OrgChartNode', description: 'An agent and those who report to it, by name' });

export const getOrgChartContract = routeContract({
  operationId: 'getOrgChart',
  service: 'agents',
  method: 'get',
  path: '/api/companies/{companyId}/org-chart',
  tag: 'Agents',
  summary: 'Read the org chart of a company',
  description:
    'Everybody, terminated agents included: they stay where they were until their reports are given ' +
    'another manager.',
  params: companyParams,
  responses: {
    200: {
      description: 'Those without a manager, each with everybody below it',
      schema: z
        .object({ roots: z.array(orgChartNode) })
        .meta({ id: 'OrgChart', description: 'The chain of command of a company' }),
    },
  },
  errors: [],
  access: { kind: 'company', company: 'path', agents: 'own_company', operators: 'viewer' },
});
