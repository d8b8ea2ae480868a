import { z } from 'zod';
import { companyStatus } from '../caller-roles.ts';
import { routeContract } from '../route-contract.ts';
import { budgetLimits } from './budget.ts';
import { companyDetail, companyName, companyParams, proposalDeciders } from './company.ts';
import { currency } from './currency.ts';

export const updateCompanyContract = routeContract({
  operationId: 'updateCompany',
  service: 'agents',
  method: 'patch',
  path: '/api/companies/{companyId}',
  tag: 'Companies',
  summary:
    'Rename, archive or re-activate a company, or set its currency, its budget or who decides proposals',
  description:
    'Archiving cancels all running runs and stops every credential of its agents within a second. ' +
    'The only change an archived company takes is `"status": "active"` (a new name, currency or budget may come with it). ' +
    'The budget limits what all agents of the company spend in a month (UTC), beside the budget of each.',
  params: companyParams,
  body: z.strictObject({
    name: companyName.optional(),
    status: companyStatus.optional(),
    currency: currency.optional(),
    budget: budgetLimits.optional(),
    proposalsDecidedBy: proposalDeciders.optional(),
  }),
  responses: { 200: { description: 'The company as it is now', schema: companyDetail } },
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
