import { z } from 'zod';
import { byOperators } from '../access.ts';
import { pageOf, pageQuery, timestamp } from '../common.ts';
import { agentId, keyId, runId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { companyParams } from './companies.ts';

/** Every action in the audit log of a company, as `noun.verb`. */
export const activityActions = [
  'company.created',
  'company.renamed',
  'company.currency_changed',
  'company.budget_changed',
  'company.proposal_deciders_changed',
  'company.embeddings_enabled',
  'company.embeddings_disabled',
  'company.archived',
  'company.activated',
  'member.added',
  'member.changed',
  'member.removed',
  'invite.created',
  'invite.withdrawn',
  'agent.created',
  'agent.updated',
  'agent.paused',
  'agent.resumed',
  'agent.terminated',
  'key.created',
  'key.rotated',
  'key.revoked',
  'connection.created',
  'connection.revoked',
  'run.started',
  'run.renewed',
  'run.finished',
  'run.cancelled',
  'run.expired',
  'budget.warned',
  'budget.exhausted',
  'notes.undone',
] as const;
export const activityAction = z.enum(activityActions);
export type ActivityAction = z.infer<typeof activityAction>;

const uuidText = z.string().meta({ format: 'uuid' });

export const activityActor = z
  .object({
    kind: z.enum(['agent', 'operator', 'system']),
    id: uuidText.nullable().meta({ description: 'Null for the system' }),
    name: z.string(),
    emailVerified: z.boolean().optional().meta({
      description:
        'For an operator: whether the email of the account is verified; absent while that is not known',
    }),
    keyId: keyId.optional(),
    runId: runId.optional(),
  })
  .meta({
    id: 'ActivityActor',
    description:
      'The actor, from the verified credential. `system` expires runs whose token was not renewed.',
  });
export type ActivityActor = z.infer<typeof activityActor>;

export const activityEntityType = z.enum([
  'company',
  'member',
  'invite',
  'agent',
  'key',
  'connection',
  'run',
]);
export type ActivityEntityType = z.infer<typeof activityEntityType>;

export const activityEntry = z
  .object({
    id: uuidText,
    at: timestamp,
    actor: activityActor,
    action: activityAction,
    entity: z.object({ type: activityEntityType, id: uuidText }),
    detail: z
      .record(z.string(), z.unknown())
      .meta({ description: 'What changed, without secrets' }),
  })
  .meta({ id: 'ActivityEntry', description: 'An entry of the append-only audit log of a company' });
export type ActivityEntry = z.infer<typeof activityEntry>;

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
    since: timestamp.optional().meta({ description: 'Only entries of that time or later' }),
    until: timestamp.optional().meta({ description: 'Only entries before' }),
  }),
  responses: { 200: { description: 'One page of entries', schema: pageOf(activityEntry) } },
  errors: [],
  access: byOperators('viewer'),
});
