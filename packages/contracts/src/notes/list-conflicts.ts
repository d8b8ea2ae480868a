import { z } from 'zod';
import { pageOf, pageQuery } from '../common.ts';
import { routeContract } from '../route-contract.ts';
import { noteSummary } from './note-data.ts';
import { noteParams } from './note-route.ts';

export const listConflictsContract = routeContract({
  operationId: 'listConflicts',
  service: 'notes',
  method: 'get',
  path: '/api/notes/{id}/conflicts',
  tag: 'Notes',
  summary: 'List the conflict copies of a note',
  description: 'The active ones, oldest first. `resolveConflict` settles one of them.',
  params: noteParams,
  query: z.object(pageQuery),
  responses: { 200: { description: 'A page of copies', schema: pageOf(noteSummary) } },
  errors: ['not_found'],
  access: {
    kind: 'company',
    company: 'entity',
    agents: 'own_company',
    scope: 'notes:read',
    operators: 'viewer',
    entities: { id: 'note' },
  },
});
