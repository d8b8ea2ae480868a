import { z } from 'zod';
import { routeContract } from '../route-contract.ts';
import { noteData } from './note-data.ts';
import { noteHeaders, noteParams } from './note-route.ts';

export const restoreNoteContract = routeContract({
  operationId: 'restoreNote',
  service: 'notes',
  method: 'post',
  path: '/api/notes/{id}/restore',
  tag: 'Notes',
  summary: 'Undelete a note, or bring an old revision back',
  description: `Without \`revision\` a deleted note comes back as it was; a living one stays as it is. With \`revision\` that
version becomes the newest one. Both make a new revision, unless nothing would change.`,
  params: noteParams,
  body: z.strictObject({
    revision: z
      .int()
      .min(1)
      .max(2_147_483_647)
      .optional()
      .meta({ description: 'The version to bring back' }),
  }),
  responses: {
    200: { description: 'The note as it is now', schema: noteData, headers: noteHeaders },
  },
  errors: ['not_found'],
  access: {
    kind: 'company',
    company: 'entity',
    agents: 'own_company',
    operators: 'operator',
    entities: { id: 'note' },
  },
});
