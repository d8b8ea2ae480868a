import { z } from 'zod';
import { byOperators } from '../access.ts';
import { role } from '../caller-roles.ts';
import { pageOf, pageQuery, personQuery, timestamp } from '../common.ts';
import { grantList, requestedGrants } from '../grants.ts';
import { companyId, operatorId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { companyParams } from './companies.ts';

export const member = z
  .object({
    operatorId,
    email: z.string(),
    emailVerified: z
      .boolean()
      .nullable()
      .meta({
        description:
          'Whether the email is verified to be of this person; null while that is not known. False for ' +
          'an account of an invite: its sender may have accepted it',
      }),
    name: z.string(),
    role,
    grants: grantList.meta({
      description: 'The folders whose notes a viewer reaches; null: all notes, as other roles do',
    }),
    since: timestamp,
  })
  .meta({
    id: 'Member',
    description: 'An operator in a company, with email and name as of joining.',
  });
export type Member = z.infer<typeof member>;

/** The path of one member. */
export const memberParams = z.object({ companyId, operatorId });

export const listMembersContract = routeContract({
  operationId: 'listMembers',
  service: 'agents',
  method: 'get',
  path: '/api/companies/{companyId}/members',
  tag: 'Members',
  summary: 'List the members of a company',
  description: 'Ordered by name.',
  params: companyParams,
  query: z.object({ ...pageQuery, ...personQuery }),
  responses: { 200: { description: 'One page of members', schema: pageOf(member) } },
  errors: [],
  access: byOperators('viewer'),
});

const updateMemberBody = z
  .strictObject({ role: role.optional(), grants: requestedGrants.nullable().optional() })
  .refine(
    (body) => body.role !== undefined || body.grants !== undefined,
    'must have a role, grants, or both',
  )
  .refine(
    ({ role: wanted = 'viewer', grants = null }) => wanted === 'viewer' || grants === null,
    'only viewers have grants',
  );
export type UpdateMemberBody = z.infer<typeof updateMemberBody>;

export const updateMemberContract = routeContract({
  operationId: 'updateMember',
  service: 'agents',
  method: 'patch',
  path: '/api/companies/{companyId}/members/{operatorId}',
  tag: 'Members',
  summary: 'Change the role of a member, or the folders that a viewer reaches',
  description:
    'A company is never without an owner, also when two requests come at once. Making an owner needs ' +
    'a sign-in of the last 15 minutes. Only viewers have `grants` (400); another role reaches all notes, and so ' +
    'does a member who becomes a viewer without them.',
  params: memberParams,
  body: updateMemberBody,
  responses: { 200: { description: 'The member as it is now', schema: member } },
  errors: ['not_found', 'reauthentication_required', 'last_owner', 'company_archived'],
  access: byOperators('owner'),
});

export const removeMemberContract = routeContract({
  operationId: 'removeMember',
  service: 'agents',
  method: 'delete',
  path: '/api/companies/{companyId}/members/{operatorId}',
  tag: 'Members',
  summary: 'Remove a member, or leave a company',
  description:
    'Every member may leave; only owners may remove others. A company always keeps an owner, even ' +
    'with concurrent requests. The open invites of a removed owner are deleted.',
  params: memberParams,
  responses: { 204: { description: 'The member was removed' } },
  errors: ['role_insufficient', 'not_found', 'last_owner', 'company_archived'],
  access: byOperators('viewer'),
});
