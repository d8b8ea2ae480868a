import { z } from 'zod';
import { directoryEntry, type DirectoryEntry } from '../agents/list-directory.ts';
import { companyId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';

/** An agent as its colleagues know it. */
export type ListedColleague = DirectoryEntry;

/** Notes → agents: who works in a company. */
export const listColleaguesContract = routeContract({
  operationId: 'listColleagues',
  service: 'agents',
  method: 'post',
  path: '/internal/agents/list',
  tag: 'Internal',
  summary: 'List the agents of a company by name',
  body: z.strictObject({ companyId, limit: z.int().min(1).max(200) }),
  responses: {
    200: {
      description: 'The first agents by name',
      schema: z.object({ items: z.array(directoryEntry), hasMore: z.boolean() }),
    },
  },
  errors: [],
  access: { kind: 'service', callers: ['notes'] },
});
