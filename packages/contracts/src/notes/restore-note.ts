import { z } from 'zod';
import { routeContract } from '../route-contract.ts';
import { preferMinimalHeader, writtenNote, writtenNoteHeaders } from './note-receipt.ts';
import { idempotencyKeyHeader, noteParams } from './note-route.ts';

export const restoreNoteContract = routeContract({
  operationId: 'restoreNote',
  service: 'notes',
  method: 'post',
  path: '/api/notes/{id}/restore',
  tag: 'Notes',
  summary: 'Restore a deleted note or an old revision',
  description: `Without \`revision\` restores a deleted note; an active one stays unchanged. With \`revision\` restores that
version. Both create a new revision, unless nothing would change.`,
  params: noteParams,
  headers: { ...preferMinimalHeader, ...idempotencyKeyHeader },
  body: z.strictObject({
    revision: z
      .int()
      .min(1)
      .max(2_147_483_647)
      .optional()
      .meta({ description: 'The version to restore' }),
  }),
  responses: {
    200: { description: 'The note', schema: writtenNote, headers: writtenNoteHeaders },
  },
  errors: ['proposal_not_possible', 'malformed_header', 'mutation_id_reused', 'not_found'],
  access: {
    kind: 'company',
    company: 'entity',
    agents: 'own_company',
    scope: 'notes:write',
    grants: 'kept',
    operators: 'operator',
    entities: { id: 'note' },
  },
});
