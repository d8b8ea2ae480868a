import { routeContract } from '../route-contract.ts';
import { idempotencyKeyHeader, ifMatchHeader, noteParams } from './note-route.ts';

export const deleteNoteContract = routeContract({
  operationId: 'deleteNote',
  service: 'notes',
  method: 'delete',
  path: '/api/notes/{id}',
  tag: 'Notes',
  summary: 'Delete a note',
  description:
    'Leaves a tombstone with the next revision, which other clients pull. Deleting it again changes nothing.',
  params: noteParams,
  headers: { ...ifMatchHeader, ...idempotencyKeyHeader },
  responses: { 204: { description: 'The note is deleted' } },
  errors: [
    'proposal_not_possible',
    'malformed_header',
    'mutation_id_reused',
    'not_found',
    'precondition_failed',
  ],
  access: {
    kind: 'company',
    company: 'entity',
    agents: 'own_company',
    scope: 'notes:write',
    grants: 'kept',
    operators: 'operator',
    entities: { id: 'note' },
    state: 'handler',
  },
});
