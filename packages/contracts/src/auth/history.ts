import { z } from 'zod';
import { byOneself } from '../access.ts';
import { email, pageOf, pageQuery, timestamp } from '../common.ts';
import { operatorId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { signIn, signInMethod, signInOutcome } from './sign-in.ts';

/** Lists the sign-in history. */
export const listSignInsContract = routeContract({
  operationId: 'listSignIns',
  service: 'auth',
  method: 'get',
  path: '/api/auth/activity',
  tag: 'Sessions',
  summary: 'List sign-ins',
  description:
    "Newest first: the caller's own sign-ins and failed attempts; for administrators those of all " +
    'operators and of unknown emails. Kept for 90 days; only a part of very many failures is ' +
    'recorded.',
  query: z.object({
    ...pageQuery,
    outcome: signInOutcome.optional(),
    method: signInMethod.optional(),
    operatorId: operatorId.optional().meta({ description: 'Only those of this account' }),
    email: email.optional().meta({
      description: 'Only those with this email, whether or not an account has it',
    }),
    since: timestamp.optional().meta({ description: 'Only those at that time or later' }),
    until: timestamp.optional().meta({ description: 'Only those before' }),
  }),
  responses: { 200: { description: 'A page of sign-ins', schema: pageOf(signIn) } },
  errors: [],
  access: byOneself,
});

/** Every action in the audit log of the instance, as `noun.verb`. */
export const instanceActions = [
  'operator.created',
  'operator.disabled',
  'operator.enabled',
  'administrator.granted',
  'administrator.revoked',
  'email.verified',
  'session.reauthenticated',
  'session.revoked',
  'password.changed',
  'password.reset',
  'second_factor.reset',
  'totp.added',
  'totp.removed',
  'passkey.added',
  'passkey.renamed',
  'passkey.removed',
  'identity.linked',
  'identity.unlinked',
  'handover.begun',
  'handover.taken',
] as const;
export const instanceAction = z.enum(instanceActions);
export type InstanceAction = z.infer<typeof instanceAction>;

export const instanceActorKind = z.enum(['operator', 'shell', 'system']);
export type InstanceActorKind = z.infer<typeof instanceActorKind>;

/** An entry of the audit log of the instance. */
export const instanceActivityEntry = z
  .object({
    id: z.string().meta({ format: 'uuid' }),
    at: timestamp,
    actor: z
      .object({
        kind: instanceActorKind.meta({
          description:
            '`shell`: `pnpm operator`; `system`: the configuration, or a sign-in through the provider',
        }),
        id: operatorId.nullable(),
        email: z.string().nullable(),
      })
      .meta({ id: 'InstanceActor', description: 'Who made a change of an account' }),
    action: instanceAction,
    operator: z
      .object({ id: operatorId, email: z.string() })
      .meta({ description: 'Whose account changed, with its email at that time' }),
    detail: z
      .record(z.string(), z.unknown())
      .meta({ description: 'What changed, without secrets' }),
  })
  .meta({
    id: 'InstanceActivityEntry',
    description: 'An entry of the append-only audit log of the instance',
  });
export type InstanceActivityEntry = z.input<typeof instanceActivityEntry>;

/** Lists the audit log of the instance. */
export const listInstanceActivityContract = routeContract({
  operationId: 'listInstanceActivity',
  service: 'auth',
  method: 'get',
  path: '/api/instance/activity',
  tag: 'Operators',
  summary: 'Read the audit log of the instance',
  description:
    'Append-only, newest first: changes of operators, their passwords, factors, passkeys and identities. ' +
    'Administrators get all; others what they did and what was done to their account. An entry commits ' +
    'in the same transaction as the change. Confirmations within a minute are one entry. Kept for 365 days.',
  query: z.object({
    ...pageQuery,
    action: instanceAction.optional(),
    operatorId: operatorId.optional().meta({ description: 'Only changes of this account' }),
    actorId: operatorId.optional().meta({ description: 'Only changes by this operator' }),
    since: timestamp.optional().meta({ description: 'Only those at that time or later' }),
    until: timestamp.optional().meta({ description: 'Only those before' }),
  }),
  responses: { 200: { description: 'A page of entries', schema: pageOf(instanceActivityEntry) } },
  errors: [],
  access: byOneself,
});
