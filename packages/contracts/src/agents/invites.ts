import { z } from 'zod';
import { byOperators } from '../access.ts';
import { role } from '../caller-roles.ts';
import { email, pageOf, pageQuery, timestamp } from '../common.ts';
import { grantList, requestedGrants } from '../grants.ts';
import { companyId, inviteId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { secretHeaders } from '../secret-headers.ts';
import { companyParams } from './companies.ts';

/** Hours an invite can be accepted. */
export const inviteLifetimeHours = 72;

/** The limit of open invites per company. */
export const openInvitesMax = 1000;

export const invite = z
  .object({
    id: inviteId,
    email: z.string(),
    role,
    grants: grantList.meta({
      description: 'The folders whose notes the viewer will reach; null: all notes',
    }),
    createdAt: timestamp,
    expiresAt: timestamp,
  })
  .meta({
    id: 'Invite',
    description: 'An open invitation into a company. It can be accepted once, within 72 hours.',
  });
export type Invite = z.infer<typeof invite>;

/** The response to the creation, the only one with the token. */
export const createdInvite = invite
  .extend({
    token: z.string().meta({ description: 'Returned only once; only its SHA-256 is stored' }),
    url: z
      .string()
      .meta({ description: 'The page where the invited person accepts; contains the token' }),
  })
  .meta({ id: 'CreatedInvite', description: 'A new invite together with its token' });

/** The path of one invite. */
export const inviteParams = z.object({ companyId, inviteId });

export const createInviteContract = routeContract({
  operationId: 'createInvite',
  service: 'agents',
  method: 'post',
  path: '/api/companies/{companyId}/invites',
  tag: 'Members',
  summary: 'Invite an operator into a company',
  description:
    'The token is returned only once. Send the `url` to the person, who accepts it in the console. An ' +
    'invite is valid while its creator is an owner of the company. A company has at most 1000 open ' +
    'invites: 409 `invite_limit`. A new invite ends an open one for the same email. Inviting an owner needs a ' +
    'sign-in of the last 15 minutes. With `grants` a viewer reaches the notes of these folders only, from the ' +
    'moment of joining.',
  params: companyParams,
  body: z
    .strictObject({ email, role, grants: requestedGrants.nullable().optional() })
    .refine(({ role: wanted, grants = null }) => wanted === 'viewer' || grants === null, {
      path: ['grants'],
      message: 'only viewers have grants',
    }),
  responses: {
    201: {
      description: 'The invite and its token',
      schema: createdInvite,
      headers: secretHeaders,
    },
  },
  errors: [
    'already_member',
    'reauthentication_required',
    'invite_limit',
    'company_archived',
    'local_trusted',
  ],
  access: byOperators('owner'),
});

export const listInvitesContract = routeContract({
  operationId: 'listInvites',
  service: 'agents',
  method: 'get',
  path: '/api/companies/{companyId}/invites',
  tag: 'Members',
  summary: 'List the open invites of a company',
  description:
    'Newest first, without accepted, deleted and expired ones, and without those whose creator was disabled or ' +
    'has lost the account. A page may have fewer than `limit` for that reason.',
  params: companyParams,
  query: z.object(pageQuery),
  responses: { 200: { description: 'One page of invites', schema: pageOf(invite) } },
  errors: ['local_trusted'],
  access: byOperators('owner'),
});

export const deleteInviteContract = routeContract({
  operationId: 'deleteInvite',
  service: 'agents',
  method: 'delete',
  path: '/api/companies/{companyId}/invites/{inviteId}',
  tag: 'Members',
  summary: 'Delete an invite',
  params: inviteParams,
  responses: { 204: { description: 'The invite can no longer be accepted' } },
  errors: ['not_found', 'company_archived', 'local_trusted'],
  access: {
    kind: 'company',
    company: 'path',
    agents: 'never',
    operators: 'owner',
    entities: { inviteId: 'invite' },
  },
});
