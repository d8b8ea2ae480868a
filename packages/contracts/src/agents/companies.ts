import { z } from 'zod';
import { byAdministrators, byOperators, byReaders } from '../access.ts';
import { companyStatus } from '../caller-roles.ts';
import { lineOfText, pageOf, pageQuery, timestamp } from '../common.ts';
import { companyId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { budgetLimits, companyBudget, currency } from './budgets.ts';

/** The name of a company, as clients send it. */
export const companyName = lineOfText(1, 200);

export const company = z
  .object({
    id: companyId,
    name: z.string(),
    status: companyStatus,
    currency: z.string().meta({
      description:
        'ISO 4217. Amounts in `…Cents` are in its minor unit: hundredths for USD, whole units for JPY',
    }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({
    id: 'Company',
    description:
      'Every entity belongs to exactly one company. An archived company is read-only for ' +
      'operators, and the credentials of its agents are rejected.',
  });
export type Company = z.infer<typeof company>;

/** Who decides about proposals of agents, beside operators and owners. */
export const proposalDeciders = z.enum(['operators', 'agents']).meta({
  description: `\`agents\`: beside operators and owners also agents, where their grants have the scope \`any\` and the mode
\`direct\`, but never about their own. \`operators\` is the default`,
});
export type ProposalDeciders = z.infer<typeof proposalDeciders>;

/** As responses about one company have it; lists leave out the budget. */
export const companyDetail = company
  .extend({ budget: companyBudget, proposalsDecidedBy: proposalDeciders })
  .meta({ id: 'CompanyDetail', description: 'A company with its budget and settings' });
export type CompanyDetail = z.infer<typeof companyDetail>;

/** The path of everything below one company. */
export const companyParams = z.object({ companyId });

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
  access: byAdministrators,
});

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
  access: byReaders('agents:read'),
});

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
    ...byOperators('owner'),
    // An archived company accepts only the change that unarchives it, so the handler checks the state.
    state: 'handler',
  },
});
