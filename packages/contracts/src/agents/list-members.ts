import { z } from 'zod';
import { pageOf, pageQuery } from '../common.ts';
import { routeContract } from '../route-contract.ts';
import { companyParams } from './company.ts';
import { member } from './member.ts';

export const listMembersContract = routeContract({
  operationId: 'listMembers',
  service: 'agents',
  method: 'get',
  path: '/api/companies/{companyId}/members',
  tag: 'Members',
  summary: 'List the members of a company',
  description: 'Ordered by name.',
  params: companyParams,
  query: z.object(pageQuery),
  responses: { 200: { description: 'One page of members', schema: pageOf(member) } },
  errors: [],
  access: { kind: 'company', company: 'path', agents: 'never', operators: 'viewer' },
});
