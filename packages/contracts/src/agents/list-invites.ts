import { z } from 'zod';
import { pageOf, pageQuery } from '../common.ts';
import { routeContract } from '../route-contract.ts';
import { companyParams } from './company.ts';
import { invite } from './invite.ts';

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
  access: { kind: 'company', company: 'path', agents: 'never', operators: 'owner' },
});
