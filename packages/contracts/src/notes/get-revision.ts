import { z } from 'zod';
import { noteId } from '../ids.ts';
import { queryInt } from '../common.ts';
import { routeContract } from '../route-contract.ts';
import { noteRevision } from './note-revision.ts';

export const getRevisionContract = routeContract({
  operationId: 'getRevision',
  service: 'notes',
  method: 'get',
  path: '/api/notes/{id}/revisions/{revision}',
  tag: 'Notes',
  summary: 'Read one version of a note',
  params: z.object({ id: noteId, revision: queryInt(1, 2_147_483_647) }),
  responses: { 200: { description: 'The version', schema: noteRevision } },
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
