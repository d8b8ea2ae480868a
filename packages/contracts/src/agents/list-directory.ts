import { z } from 'zod';
import { agentStatus } from '../caller-roles.ts';
import { pageOf, pageQuery } from '../common.ts';
import { agentId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';

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
