import { routeContract } from '../route-contract.ts';
import { noteData } from './note-data.ts';
import { noteHeaders, noteParams } from './note-route.ts';

export const getNoteContract = routeContract({
  operationId: 'getNote',
  service: 'notes',
  method: 'get',
  path: '/api/notes/{id}',
  tag: 'Notes',
  summary: 'Read a note',
  description: 'A deleted note is 404 `note_deleted`; its revisions remain readable.',
  params: noteParams,
  headers: { 'If-None-Match': 'Answer 304 when the note still has this ETag.' },
  responses: {
    200: { description: 'The note', schema: noteData, headers: noteHeaders },
    304: { description: 'The note matches the ETag of If-None-Match', headers: noteHeaders },
  },
  errors: ['not_found', 'note_deleted'],
  access: {
    kind: 'company',
    company: 'entity',
    agents: 'own_company',
    scope: 'notes:read',
    operators: 'viewer',
    entities: { id: 'note' },
  },
});
