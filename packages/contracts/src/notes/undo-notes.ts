import { z } from 'zod';
import { undoId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { undoRequest } from './undo.ts';

export const undoNotesContract = routeContract({
  operationId: 'undoNotes',
  service: 'notes',
  method: 'post',
  path: '/api/notes/undo',
  tag: 'Notes',
  summary: 'Take back what a run, a key, a connection or an agent wrote',
  description: `Pauses the agent unless \`pause\` is false, cancels the background synchronisations of the source, and takes its changes
out of every note it wrote, the newest first, by three-way merge: what others wrote stays. Its open proposals are
rejected. Use \`dryRun\` first. The work
goes on in the background; \`GET /api/notes/undo/{undoId}\` has its progress and what became of each note. While an undo of
the same source goes on, the same request returns that one. A change that is synchronised later and is based on a version
that was undone becomes a conflict copy.`,
  body: undoRequest,
  bodyBytesMax: 512 * 1024,
  responses: {
    202: {
      description: 'Stored; the undo begins',
      schema: z
        .object({ id: undoId, status: z.literal('queued') })
        .meta({ id: 'UndoReceipt', description: 'The undo is stored and begins' }),
      headers: { Location: { description: 'The path of the undo' } },
    },
  },
  errors: ['not_found', 'cross_company', 'busy', 'service_unavailable'],
  access: {
    kind: 'company',
    company: 'selected',
    agents: 'never',
    operators: 'operator',
  },
});
