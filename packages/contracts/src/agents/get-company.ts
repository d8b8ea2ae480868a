import { routeContract } from '../route-contract.ts';
import { companyDetail, companyParams } from './company.ts';

export const getCompanyContract = routeContract({
  operationId: 'getCompany',
  service: 'agents',
  method: 'get',
  path: '/api/companies/{companyId}',
  tag: 'Companies',
  summary: 'Read a company',
  params: companyParams,
  responses: { 200: { description: 'The company', schema: companyDetail } },
  errors: [],
  access: {
    kind: 'company',
    company: 'path',
    agents: 'own_company',
    scope: 'agents:read',
    operators: 'viewer',
  },
});
