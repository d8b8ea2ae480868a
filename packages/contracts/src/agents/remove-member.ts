import { routeContract } from '../route-contract.ts';
import { memberParams } from './member.ts';

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
  access: { kind: 'company', company: 'path', agents: 'never', operators: 'viewer' },
});
