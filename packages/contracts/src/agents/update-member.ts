import { z } from 'zod';
import { role } from '../caller-roles.ts';
import { requestedGrants } from '../grants.ts';
import { routeContract } from '../route-contract.ts';
import { member, memberParams } from './member.ts';

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
  access: { kind: 'company', company: 'path', agents: 'never', operators: 'owner' },
});
