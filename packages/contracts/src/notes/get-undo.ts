import { z } from 'zod';
import { pageQuery } from '../common.ts';
import { undoId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { undo, undoOutcome } from './undo.ts';

export const getUndoContract = routeContract({
  operationId: 'getUndo',
  service: 'notes',
  method: 'get',
  path: '/api/notes/undo/{undoId}',
  tag: 'Notes',
  summary: 'Read an undo',
  description:
    'Its progress, and a page of what became of the notes. A dry run is kept for 7 days at least, an undo for good.',
  params: z.object({ undoId }),
  query: z.object({
    ...pageQuery,
    outcome: undoOutcome.optional().meta({ description: 'Only notes with this outcome' }),
  }),
  responses: {
    200: {
      description: 'The undo',
      schema: undo,
      headers: {
        'Retry-After': {
          description: 'Seconds until the next poll, while it is not finished',
          isOptional: true,
        },
      },
    },
  },
  errors: ['not_found'],
  access: {
    kind: 'company',
    company: 'entity',
    agents: 'never',
    operators: 'operator',
    entities: { undoId: 'undo' },
  },
});
