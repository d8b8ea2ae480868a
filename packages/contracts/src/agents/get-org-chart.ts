import { z } from 'zod';
import { agentStatus, type AgentStatus } from '../caller-roles.ts';
import { routeContract } from '../route-contract.ts';
import { companyParams } from './company.ts';

/** An agent in the org chart. Recursive, so its type is written out. */
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
  .meta({ id: 'OrgChartNode', description: 'An agent and its reports, by name' });

const chartHeaders = {
  ETag: { description: 'Weak; of all agents in the chart' },
  'Cache-Control': {
    description: 'Private to the caller, who must revalidate it',
    value: 'private, no-cache',
  },
  Vary: { description: '`Authorization, Cookie, X-Company-Id`; also `Origin` if CORS is enabled' },
} as const;

export const getOrgChartContract = routeContract({
  operationId: 'getOrgChart',
  service: 'agents',
  method: 'get',
  path: '/api/companies/{companyId}/org-chart',
  tag: 'Agents',
  summary: 'Read the org chart of a company',
  description:
    'All agents, including terminated ones, which keep their place until their reports are assigned ' +
    'another manager.',
  params: companyParams,
  headers: { 'If-None-Match': 'Respond with 304 if nothing changed since this ETag.' },
  responses: {
    200: {
      description: 'The agents without a manager, each with its reports',
      schema: z
        .object({ roots: z.array(orgChartNode) })
        .meta({ id: 'OrgChart', description: 'The chain of command of a company' }),
      headers: chartHeaders,
    },
    304: { description: 'Nothing changed since the ETag of If-None-Match', headers: chartHeaders },
  },
  errors: [],
  access: {
    kind: 'company',
    company: 'path',
    agents: 'own_company',
    scope: 'agents:read',
    operators: 'viewer',
  },
});
