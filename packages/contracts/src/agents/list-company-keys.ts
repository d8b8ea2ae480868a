import { z } from 'zod';
import { pageOf, pageQuery } from '../common.ts';
import { routeContract } from '../route-contract.ts';
import { apiKey } from './api-key.ts';
import { companyParams } from './company.ts';
import { credentialFilter } from './credential-filter.ts';

export const listCompanyKeysContract = routeContract({
  operationId: 'listCompanyKeys',
  service: 'agents',
  method: 'get',
  path: '/api/companies/{companyId}/keys',
  tag: 'Keys',
  summary: 'List the API keys of a company',
  description:
    'Those of all agents, newest first, including revoked and expired ones unless a filter is given, without their values.',
  params: companyParams,
  query: z.object({ ...pageQuery, ...credentialFilter }),
  responses: { 200: { description: 'One page of keys', schema: pageOf(apiKey) } },
  errors: [],
  access: { kind: 'company', company: 'path', agents: 'never', operators: 'viewer' },
});
