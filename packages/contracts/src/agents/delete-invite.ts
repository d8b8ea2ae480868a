import { routeContract } from '../route-contract.ts';
import { inviteParams } from './invite.ts';

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
