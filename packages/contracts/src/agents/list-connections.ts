import { z } from 'zod';
import { pageOf, pageQuery } from '../common.ts';
import { routeContract } from '../route-contract.ts';
import { companyParams } from './company.ts';
import { connection } from './connection.ts';
import { credentialFilter } from './credential-filter.ts';

export const listConnectionsContract = routeContract({
  operationId: 'listConnections',
  service: 'agents',
  method: 'get',
  path: '/api/companies/{companyId}/connections',
  tag: 'Connections',
  summary: 'List the connections of a company',
  description: 'Newest first, including revoked and expired ones unless a filter is given.',
  params: companyParams,
  query: z.object({ ...pageQuery, ...credentialFilter }),
  responses: { 200: { description: 'One page of connections', schema: pageOf(connection) } },
  errors: [],
  access: { kind: 'company', company: 'path', agents: 'never', operators: 'viewer' },
});
