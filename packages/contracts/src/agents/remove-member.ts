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
    'Any member may remove itself; to remove others takes an owner. A company is never without an ' +
    'owner, also when two requests come at once. The open invites of a removed owner are withdrawn.',
  params: memberParams,
  responses: { 204: { description: 'The membership has ended' } },
  errors: ['role_insufficient', 'not_found', 'last_owner', 'company_archived'],
  access: { kind: 'company', company: 'path', agents: 'never', operators: 'viewer' },
});
