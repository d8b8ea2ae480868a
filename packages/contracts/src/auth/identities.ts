import { z } from 'zod';
import { byOneself } from '../access.ts';
import { timestamp } from '../common.ts';
import { routeContract } from '../route-contract.ts';

/** An identity at a provider that signs its operator in. */
export const identity = z
  .object({
    id: z.uuid(),
    issuer: z.string(),
    subject: z.string(),
    email: z.string().nullable().meta({ description: 'At the provider, when it was linked' }),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable(),
  })
  .meta({ id: 'Identity', description: 'An identity at the provider of single sign-on' });
export type Identity = z.input<typeof identity>;

/** Lists the identities of the caller. */
export const listIdentitiesContract = routeContract({
  operationId: 'listIdentities',
  service: 'auth',
  method: 'get',
  path: '/api/auth/identities',
  tag: 'Sessions',
  summary: 'List the identities linked to your account',
  description: 'Oldest first, 20 at most.',
  responses: {
    200: { description: 'The identities', schema: z.object({ items: z.array(identity) }) },
  },
  errors: [],
  access: byOneself,
});

/** Unlinks an identity of the caller. */
export const unlinkIdentityContract = routeContract({
  operationId: 'unlinkIdentity',
  service: 'auth',
  method: 'delete',
  path: '/api/auth/identities/{identityId}',
  tag: 'Sessions',
  summary: 'Unlink an identity from your account',
  description:
    'Needs a sign-in of the last 15 minutes. Sessions that the identity began end within a second, ' +
    'except that of this request. The last way to sign in stays: 409 `last_sign_in_method`.',
  params: z.object({ identityId: z.uuid() }),
  responses: { 204: { description: 'Unlinked' } },
  errors: ['not_found', 'reauthentication_required', 'last_sign_in_method'],
  access: byOneself,
});
