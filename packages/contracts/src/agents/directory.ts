import { z } from 'zod';
import { byReaders } from '../access.ts';
import { agentStatus, type AgentStatus } from '../caller-roles.ts';
import { pageOf, pageQuery, timestamp } from '../common.ts';
import { grantList } from '../grants.ts';
import { agentId, connectionId, keyId, runId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { scopeList } from '../scopes.ts';
import { agent } from './agents.ts';
import { companyParams } from './companies.ts';
import { connectionClient } from './connections.ts';

const credential = z
  .object({
    kind: z.enum(['run', 'key', 'connection']),
    keyId: keyId.optional(),
    runId: runId.optional(),
    connectionId: connectionId.optional(),
    client: connectionClient
      .pick({ name: true, host: true })
      .optional()
      .meta({ id: 'CallingClient', description: 'The client of the connection' }),
    scopes: scopeList,
    grants: grantList,
    expiresAt: timestamp.nullable(),
  })
  .meta({ id: 'AgentCredential', description: 'The credential of this request' });

export const getMeContract = routeContract({
  operationId: 'getMe',
  service: 'agents',
  method: 'get',
  path: '/api/agents/me',
  tag: 'Agents',
  summary: 'Read the calling agent',
  description: 'How an agent checks its identity. Operators get 403 `agent_only`.',
  responses: {
    200: {
      description: 'The calling agent and its credential',
      schema: agent
        .extend({ credential })
        .meta({ id: 'CallingAgent', description: 'An agent as it sees itself' }),
    },
  },
  errors: ['agent_only'],
  access: {
    kind: 'company',
    company: 'selected',
    agents: 'own_company',
    scope: 'any',
    operators: 'never',
  },
});

export const directoryEntry = z
  .object({ id: agentId, name: z.string(), role: z.string(), status: agentStatus })
  .meta({
    id: 'DirectoryEntry',
    description: 'An agent of the company, as its colleagues know it',
  });
export type DirectoryEntry = z.infer<typeof directoryEntry>;

export const listDirectoryContract = routeContract({
  operationId: 'listDirectory',
  service: 'agents',
  method: 'get',
  path: '/api/agents/directory',
  tag: 'Agents',
  summary: 'List who works in the company',
  description:
    'Every agent of the company in any status, by name: small enough to look up the authors of notes.',
  query: z.object(pageQuery),
  responses: { 200: { description: 'One page of the directory', schema: pageOf(directoryEntry) } },
  errors: [],
  access: {
    kind: 'company',
    company: 'selected',
    agents: 'own_company',
    scope: 'agents:read',
    operators: 'viewer',
  },
});

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
  access: byReaders('agents:read'),
});
