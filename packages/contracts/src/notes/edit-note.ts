import { z } from 'zod';
import { plainText } from '../common.ts';
import { routeContract } from '../route-contract.ts';
import { noteEdit, noteEditsMax } from './note-edit.ts';
import { preferMinimalHeader, writtenNote, writtenNoteHeaders } from './note-receipt.ts';
import { ifMatchHeader, noteParams } from './note-route.ts';

export const editNoteContract = routeContract({
  operationId: 'editNote',
  service: 'notes',
  method: 'patch',
  path: '/api/notes/{id}',
  tag: 'Notes',
  summary: 'Edit a note',
  description: `Applies the edits in order to the present note, all or none. Concurrent edits run one after another, so that
many writers may append to one note and no text is lost. No read is needed before.

An edit that does not fit the content is 409 \`edit_not_applicable\`: \`edit\` of the problem is its index, \`found\` how often
\`find\` occurs, \`candidates\` the headings that are there or match. Code blocks have no headings. A note beyond its size limit
is 413; \`set\` with an impossible result is 400. An unknown id is 404 and never created.

With \`mutationId\` a retry is safe: it returns the first result, also if the note has changed since. The same id with other
edits is 409 \`mutation_id_reused\`.`,
  params: noteParams,
  headers: { ...ifMatchHeader, ...preferMinimalHeader },
  body: z
    .strictObject({
      edits: z.array(noteEdit).min(1).max(noteEditsMax),
      mutationId: plainText(1, 64).optional().meta({
        description: 'Unique per caller; makes a retry safe for 30 days',
      }),
    })
    .meta({ id: 'EditNoteRequest' }),
  // As for PUT: 512 KiB of content with JSON escapes.
  bodyBytesMax: 2 * 1024 * 1024,
  responses: {
    200: {
      description: 'The edited note (the same revision if nothing changed)',
      schema: writtenNote,
      headers: writtenNoteHeaders,
    },
  },
  errors: ['note_deleted', 'edit_not_applicable', 'mutation_id_reused', 'precondition_failed'],
  access: {
    kind: 'company',
    company: 'entity',
    agents: 'own_company',
    scope: 'notes:write',
    operators: 'operator',
    entities: { id: 'note' },
    state: 'handler',
  },
});
