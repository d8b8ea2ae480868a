import { z } from 'zod';
import { queryIntOr } from '../common.ts';
import { proposalId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { proposalDetail } from './proposal.ts';

/** The path parameter of the routes of a proposal. */
export const proposalParams = z.object({ proposalId });

export const getProposalContract = routeContract({
  operationId: 'getProposal',
  service: 'notes',
  method: 'get',
  path: '/api/notes/proposals/{proposalId}',
  tag: 'Proposals',
  summary: 'Read a proposal',
  description: 'The proposal with its text, and how it differs from the note as it is now.',
  params: proposalParams,
  query: z.object({
    context: queryIntOr(3, 0, 20).meta({ description: 'Equal lines around each change' }),
  }),
  responses: { 200: { description: 'The proposal', schema: proposalDetail } },
  errors: ['not_found'],
  access: {
    kind: 'company',
    company: 'entity',
    agents: 'own_company',
    scope: 'notes:read',
    grants: 'kept',
    operators: 'viewer',
    entities: { proposalId: 'proposal' },
  },
});
