import { z } from 'zod';
import { queryInt } from '../common.ts';
import { routeContract } from '../route-contract.ts';
import { readNote } from './note-data.ts';
import { noteLimits } from './note-limits.ts';
import { noteHeaders, noteParams } from './note-route.ts';

export const getNoteContract = routeContract({
  operationId: 'getNote',
  service: 'notes',
  method: 'get',
  path: '/api/notes/{id}',
  tag: 'Notes',
  summary: 'Read a note',
  description: `A deleted note is 404 \`note_deleted\`; its revisions remain readable.

With \`from\` or \`maxBytes\` the response has a window of the content, cut between characters, and its position in
\`window\`. A window is no note: sent back with PUT it is 400, so that it never replaces the whole content.`,
  params: noteParams,
  query: z.object({
    from: queryInt(0, 2_147_483_647).optional().meta({
      description:
        'The first byte of the window in UTF-8; inside a character: the start of that character. Default 0',
    }),
    maxBytes: queryInt(1, noteLimits.contentBytesMax).optional().meta({
      description:
        'Maximum bytes of the window, which has at least one character. Default: to the end',
    }),
  }),
  headers: { 'If-None-Match': 'Returns 304 when the note still has this ETag.' },
  responses: {
    200: { description: 'The note', schema: readNote, headers: noteHeaders },
    304: { description: 'The note matches the ETag of If-None-Match', headers: noteHeaders },
  },
  errors: ['not_found', 'note_deleted'],
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
