import { z } from 'zod';
import { pageOf, pageQuery } from '../common.ts';
import { agentId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { activityAction, activityEntry } from './activity-entry.ts';
import { companyParams } from './company.ts';

/** Any id of the system; which kind it is does not matter to a filter. */
const anyId = agentId.transform(String).meta({ type: 'string', format: 'uuid' });

export const listActivityContract = routeContract({
  operationId: 'listActivity',
  service: 'agents',
  method: 'get',
  path: '/api/companies/{companyId}/activity',
  tag: 'Companies',
  summary: 'Read the audit of a company',
  description:
    'Append-only, newest first: who did what to the company, its members, invites, agents, keys and ' +
    'runs. An entry is written in the same transaction as what it records. Notes keep their own ' +
    'audit: their revisions.',
  params: companyParams,
  query: z.object({
    ...pageQuery,
    actor: anyId.optional().meta({ description: 'Only what this agent or operator did' }),
    action: activityAction.optional(),
    entityId: anyId.optional().meta({ description: 'Only what was done to this entity' }),
  }),
  responses: { 200: { description: 'One page of entries', schema: pageOf(activityEntry) } },
  errors: [],
  access: { kind: 'company', company: 'path', agents: 'never', operators: 'viewer' },
});
