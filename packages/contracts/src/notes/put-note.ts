import { routeContract } from '../route-contract.ts';
import { noteData } from './note-data.ts';
import { noteInput } from './note-input.ts';
import { ifMatchHeader, noteHeaders, noteParams } from './note-route.ts';

export const putNoteContract = routeContract({
  operationId: 'putNote',
  service: 'notes',
  method: 'put',
  path: '/api/notes/{id}',
  tag: 'Notes',
  summary: 'Write a note',
  description: `Replaces every writable field; an absent field takes its default. An id that exists nowhere is created,
a deleted note comes back and its revisions go on.

With \`If-Match\` a note that changed meanwhile is 412, with the note as it is now in \`current\` of the problem. A
retry is safe: if the stored note already equals the body the answer is 200 and nothing changes.`,
  params: noteParams,
  headers: {
    ...ifMatchHeader,
    'If-None-Match': '`*`: create only; 412 when a living note has this id.',
  },
  body: noteInput,
  // 512 KiB of content, as JSON may write them.
  bodyBytesMax: 2 * 1024 * 1024,
  responses: {
    200: {
      description: 'Replaced, or equal to the body already (same revision)',
      schema: noteData,
      headers: noteHeaders,
    },
    201: {
      description: 'Created, or brought back from a deletion',
      schema: noteData,
      headers: { ...noteHeaders, Location: { description: 'The path of the note' } },
    },
  },
  errors: ['precondition_failed'],
  access: {
    kind: 'company',
    company: 'entity_or_selected',
    agents: 'own_company',
    operators: 'operator',
    entities: { id: 'note' },
    state: 'handler',
  },
});
