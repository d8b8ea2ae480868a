import { z } from 'zod';
import { timestamp } from '../common.ts';
import { noteId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { isComplete } from './list-labels.ts';
import { noteTitle } from './note-input.ts';

const noteOfTitle = z.object({
  id: noteId,
  folder: z.string(),
  title: z.string(),
  revision: z.int(),
  updatedAt: timestamp,
});

export const findNotesByTitleContract = routeContract({
  operationId: 'findNotesByTitle',
  service: 'notes',
  method: 'get',
  path: '/api/notes/by-title',
  tag: 'Notes',
  summary: 'Find the notes of a title',
  description: `The notes of a title in any folder, letter case and runs of white space aside, the newest first, and those that had
it: renamed notes with their present title, and deleted ones. At most 20 of each.`,
  query: z.object({ title: noteTitle }),
  responses: {
    200: {
      description: 'The notes',
      schema: z
        .object({
          items: z.array(noteOfTitle),
          former: z
            .array(noteOfTitle.extend({ deleted: z.boolean() }))
            .meta({ description: 'Notes that had the title, as they are now' }),
          isComplete,
        })
        .meta({ id: 'NotesOfTitle', description: 'The notes that have a title, or had it' }),
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
  },
});
