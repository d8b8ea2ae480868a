import { z } from 'zod';
import { routeContract } from '../route-contract.ts';
import { noteData } from './note-data.ts';
import { noteFolder, noteTitle } from './note-input.ts';
import { noteHeaders } from './note-route.ts';

export const getNoteByPathContract = routeContract({
  operationId: 'getNoteByPath',
  service: 'notes',
  method: 'get',
  path: '/api/notes/by-path',
  tag: 'Notes',
  summary: 'Read a note by folder and title',
  description: `Letter case of the title does not matter, unless it distinguishes several notes. Several notes are 409
\`ambiguous\`, with up to 20 \`candidates\` in the problem, the newest first.`,
  query: z.object({
    folder: noteFolder.default('').meta({ description: 'The folder; empty: the root' }),
    title: noteTitle,
  }),
  headers: { 'If-None-Match': 'Return 304 when the note still has this ETag.' },
  responses: {
    200: { description: 'The note', schema: noteData, headers: noteHeaders },
    304: { description: 'The note matches the ETag of If-None-Match', headers: noteHeaders },
  },
  errors: ['not_found', 'note_deleted', 'ambiguous'],
  access: {
    kind: 'company',
    company: 'selected',
    agents: 'own_company',
    scope: 'notes:read',
    grants: 'kept',
    operators: 'viewer',
  },
});
