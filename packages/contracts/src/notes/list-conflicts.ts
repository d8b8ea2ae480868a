import { z } from 'zod';
import { pageOf, pageQuery } from '../common.ts';
import { routeContract } from '../route-contract.ts';
import { namedAuthor } from './author.ts';
import { noteSummary } from './note-data.ts';
import { noteParams } from './note-route.ts';

const conflictCopy = z
  .object({ ...noteSummary.shape, createdBy: namedAuthor, updatedBy: namedAuthor })
  .meta({ id: 'ConflictCopy', description: 'A conflict copy without its content' });
export type ConflictCopy = z.infer<typeof conflictCopy>;

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
  responses: { 200: { description: 'A page of copies', schema: pageOf(conflictCopy) } },
  errors: ['not_found'],
  access: {
    kind: 'company',
    company: 'entity',
    agents: 'own_company',
    scope: 'notes:read',
    grants: 'kept',
    operators: 'viewer',
    entities: { id: 'note' },
  },
});
