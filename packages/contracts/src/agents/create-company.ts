import { z } from 'zod';
import { routeContract } from '../route-contract.ts';
import { companyDetail, companyName } from './company.ts';

export const createCompanyContract = routeContract({
  operationId: 'createCompany',
  service: 'agents',
  method: 'post',
  path: '/api/companies',
  tag: 'Companies',
  summary: 'Create a company',
  description: 'Administrators only. The creator becomes its owner.',
  body: z.strictObject({ name: companyName }),
  responses: { 201: { description: 'The new company', schema: companyDetail } },
  errors: [],
  access: { kind: 'administrator' },
});
