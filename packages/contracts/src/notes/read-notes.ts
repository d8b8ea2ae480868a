import { z } from 'zod';
import { noteId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { noteData } from './note-data.ts';

/** The limit of ids in a request. */
export const readNotesMax = 100;

const bytes = { default: 256 * 1024, max: 4 * 1024 * 1024 } as const;

export const readNotesContract = routeContract({
  operationId: 'readNotes',
  service: 'notes',
  method: 'post',
  path: '/api/notes/read',
  tag: 'Notes',
  summary: 'Read many notes',
  description: `Returns the notes in the order of \`ids\`, each once and whole. A note whose content does not fit in what is left of
\`maxBytes\` is in \`omitted\`; read it alone, or in windows. Unknown and deleted notes are in \`missing\`. An id of another
company is 403 for the whole request.`,
  body: z
    .strictObject({
      ids: z.array(noteId).min(1).max(readNotesMax),
      maxBytes: z.int().min(1).max(bytes.max).default(bytes.default).meta({
        description: 'Maximum bytes of all contents in UTF-8',
      }),
    })
    .meta({ id: 'ReadNotesRequest', description: 'The notes to read' }),
  responses: {
    200: {
      description: 'The notes that fit, and the ids of the others',
      schema: z
        .object({
          notes: z.array(noteData),
          omitted: z
            .array(z.object({ id: noteId, title: z.string(), size: noteData.shape.size }))
            .meta({ description: 'Notes that do not fit' }),
          missing: z.array(noteId).meta({ description: 'Ids without an active note' }),
        })
        .meta({ id: 'ReadNotes', description: 'Many notes' }),
    },
  },
  errors: [],
  access: {
    kind: 'company',
    company: 'selected',
    agents: 'own_company',
    scope: 'notes:read',
    grants: 'kept',
    operators: 'viewer',
    state: 'any',
  },
});
