import { z } from 'zod';
import { byServices } from '../access.ts';
import { proposalDeciders } from '../agents/companies.ts';
import { companyId, operatorId } from '../ids.ts';
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
  access: byServices('notes'),
});

/**
 * Notes → agents: an owner switches embeddings of a company, which the audit log has before it is done. The notes service has
 * checked that the operator is an owner.
 */
export const recordSearchSettingsContract = routeContract({
  operationId: 'recordSearchSettings',
  service: 'agents',
  method: 'post',
  path: '/internal/search-settings/record',
  tag: 'Internal',
  summary: 'Record in the audit log that embeddings are switched',
  body: z.strictObject({
    companyId,
    operatorId,
    operatorName: z.string(),
    embeddings: z.boolean(),
    service: z.string().nullable(),
  }),
  responses: { 200: { description: 'Recorded', schema: z.object({}) } },
  errors: [],
  access: byServices('notes'),
});
