import { z } from 'zod';
import { companyStatus } from '../caller-roles.ts';
import { routeContract } from '../route-contract.ts';
import { company, companyName, companyParams } from './company.ts';
import { currency } from './currency.ts';

export const updateCompanyContract = routeContract({
  operationId: 'updateCompany',
  service: 'agents',
  method: 'patch',
  path: '/api/companies/{companyId}',
  tag: 'Companies',
  summary: 'Rename, archive or re-activate a company, or set its currency',
  description:
    'Archiving cancels all running runs and stops every credential of its agents within a second. ' +
    'The only change an archived company takes is `"status": "active"` (a new name or currency may come with it).',
  params: companyParams,
  body: z.strictObject({
    name: companyName.optional(),
    status: companyStatus.optional(),
    currency: currency.optional(),
  }),
  responses: { 200: { description: 'The company as it is now', schema: company } },
  errors: ['company_archived'],
  access: {
    kind: 'company',
    company: 'path',
    agents: 'never',
    operators: 'owner',
    // An archived company accepts only the change that unarchives it, so the handler checks the state.
    state: 'handler',
  },
});
