import { z } from 'zod';
import { pageOf, pageQuery } from '../common.ts';
import { routeContract } from '../route-contract.ts';
import { noteParams } from './note-route.ts';
import { noteRevisionSummary } from './note-revision.ts';

export const listRevisionsContract = routeContract({
  operationId: 'listRevisions',
  service: 'notes',
  method: 'get',
  path: '/api/notes/{id}/revisions',
  tag: 'Notes',
  summary: 'List the versions of a note',
  description:
    'Newest first, with author and time, including deletions. Deleted notes keep their versions.',
  params: noteParams,
  query: z.object(pageQuery),
  responses: { 200: { description: 'A page of versions', schema: pageOf(noteRevisionSummary) } },
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
