import { z } from 'zod';
import { timestamp } from '../common.ts';
import { keyId, runId } from '../ids.ts';

/** Everything that may stand in a company's activity, as `noun.verb`. */
export const activityActions = [
  'company.created',
  'company.renamed',
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
  'run.started',
  'run.renewed',
  'run.finished',
  'run.cancelled',
  'run.expired',
] as const;
export const activityAction = z.enum(activityActions);
export type ActivityAction = z.infer<typeof activityAction>;

const uuidText = z.string().meta({ format: 'uuid' });

export const activityActor = z
  .object({
    kind: z.enum(['agent', 'operator', 'system']),
    id: uuidText.nullable().meta({ description: 'Null for the system itself' }),
    name: z.string(),
    keyId: keyId.optional(),
    runId: runId.optional(),
  })
  .meta({
    id: 'ActivityActor',
    description:
      'Who did it, from the credential only. `system` ends runs whose token was not renewed in time.',
  });
export type ActivityActor = z.infer<typeof activityActor>;

export const activityEntityType = z.enum(['company', 'member', 'invite', 'agent', 'key', 'run']);
export type ActivityEntityType = z.infer<typeof activityEntityType>;

export const activityEntry = z
  .object({
    id: uuidText,
    at: timestamp,
    actor: activityActor,
    action: activityAction,
    entity: z.object({ type: activityEntityType, id: uuidText }),
    detail: z.record(z.string(), z.unknown()).meta({ description: 'What changed; never a secret' }),
  })
  .meta({ id: 'ActivityEntry', description: 'One entry of the append-only audit of a company' });
export type ActivityEntry = z.infer<typeof activityEntry>;
