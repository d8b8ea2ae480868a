import { z } from 'zod';
import { pageOf, pageQuery } from '../common.ts';
import { routeContract } from '../route-contract.ts';
import { company } from './company.ts';

export const listCompaniesContract = routeContract({
  operationId: 'listCompanies',
  service: 'agents',
  method: 'get',
  path: '/api/companies',
  tag: 'Companies',
  summary: 'List the companies the caller belongs to',
  description:
    'Ordered by name. An agent gets its own company, an operator those it is a member of (or only the ' +
    'one selected with `X-Company-Id`), the local board operator all of them.',
  query: z.object(pageQuery),
  responses: { 200: { description: 'One page of companies', schema: pageOf(company) } },
  errors: [],
  access: { kind: 'caller', agents: true, scope: 'agents:read' },
});
