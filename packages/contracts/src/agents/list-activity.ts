import { z } from 'zod';
import { pageOf, pageQuery } from '../common.ts';
import { agentId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { activityAction, activityEntry } from './activity-entry.ts';
import { companyParams } from './company.ts';

/** An id of any kind of entity. */
const anyId = agentId.transform(String).meta({ type: 'string', format: 'uuid' });

export const listActivityContract = routeContract({
  operationId: 'listActivity',
  service: 'agents',
  method: 'get',
  path: '/api/companies/{companyId}/activity',
  tag: 'Companies',
  summary: 'Read the audit log of a company',
  description:
    'Append-only, newest first: all changes of the company, its members, invites, agents, keys and ' +
    'runs. An entry commits in the same transaction as the change. Changes of notes are in their ' +
    'revisions.',
  params: companyParams,
  query: z.object({
    ...pageQuery,
    actor: anyId.optional().meta({ description: 'Only actions of this agent or operator' }),
    action: activityAction.optional(),
    entityId: anyId.optional().meta({ description: 'Only actions on this entity' }),
  }),
  responses: { 200: { description: 'One page of entries', schema: pageOf(activityEntry) } },
  errors: [],
  access: { kind: 'company', company: 'path', agents: 'never', operators: 'viewer' },
});
