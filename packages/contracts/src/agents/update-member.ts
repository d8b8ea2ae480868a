import { z } from 'zod';
import { role } from '../caller-roles.ts';
import { routeContract } from '../route-contract.ts';
import { member, memberParams } from './member.ts';

export const updateMemberContract = routeContract({
  operationId: 'updateMember',
  service: 'agents',
  method: 'patch',
  path: '/api/companies/{companyId}/members/{operatorId}',
  tag: 'Members',
  summary: 'Change the role of a member',
  description:
    'A company is never without an owner, also when two requests come at once. Making an owner needs ' +
    'a sign-in of the last 15 minutes.',
  params: memberParams,
  body: z.strictObject({ role }),
  responses: { 200: { description: 'The member as it is now', schema: member } },
  errors: ['not_found', 'reauthentication_required', 'last_owner', 'company_archived'],
  access: { kind: 'company', company: 'path', agents: 'never', operators: 'owner' },
});
