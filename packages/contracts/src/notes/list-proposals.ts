import { z } from 'zod';
import { pageOf, pageQuery } from '../common.ts';
import { agentId, noteId, runId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { proposal, proposalState } from './proposal.ts';

export const listProposalsContract = routeContract({
  operationId: 'listProposals',
  service: 'notes',
  method: 'get',
  path: '/api/notes/proposals',
  tag: 'Proposals',
  summary: 'List proposals',
  description: `What agents whose grants have the mode \`propose\` would change, newest first. An agent sees its own, and those of
others that it may decide.`,
  query: z.object({
    ...pageQuery,
    state: proposalState.optional().meta({ description: 'Only proposals in this state' }),
    agentId: agentId.optional().meta({ description: 'Only proposals of this agent' }),
    runId: runId.optional().meta({ description: 'Only proposals of this run' }),
    noteId: noteId.optional().meta({ description: 'Only proposals for this note' }),
  }),
  responses: {
    200: {
      description: 'One page of proposals',
      schema: pageOf(proposal).extend({
        open: z.int().meta({ description: 'The number of open ones, whatever the filter' }),
      }),
    },
  },
  errors: [],
  access: {
    kind: 'company',
    company: 'selected',
    agents: 'own_company',
    scope: 'notes:read',
    grants: 'kept',
    operators: 'viewer',
  },
});
