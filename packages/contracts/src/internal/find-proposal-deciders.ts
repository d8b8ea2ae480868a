import { z } from 'zod';
import { proposalDeciders } from '../agents/company.ts';
import { companyId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';

/** Notes → agents: who decides about proposals in a company, beside operators and owners. */
export const findProposalDecidersContract = routeContract({
  operationId: 'findProposalDeciders',
  service: 'agents',
  method: 'post',
  path: '/internal/companies/proposal-deciders',
  tag: 'Internal',
  summary: 'Read who decides about proposals',
  body: z.strictObject({ companyId }),
  responses: {
    200: {
      description: 'Who decides',
      schema: z.object({ proposalsDecidedBy: proposalDeciders }),
    },
  },
  errors: ['not_found'],
  access: { kind: 'service', callers: ['notes'] },
});
