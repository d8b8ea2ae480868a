import { z } from 'zod';
import { role } from '../caller-roles.ts';
import { email } from '../common.ts';
import { routeContract } from '../route-contract.ts';
import { requestedGrants } from '../grants.ts';
import { secretHeaders } from '../secret-headers.ts';
import { companyParams } from './company.ts';
import { createdInvite } from './invite.ts';

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
    'invites: 409 `invite_limit`. Inviting an owner needs a sign-in of the last 15 minutes. With `grants` a viewer reaches ' +
    'the notes of these folders only, from the moment of joining.',
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
  access: { kind: 'company', company: 'path', agents: 'never', operators: 'owner' },
});
