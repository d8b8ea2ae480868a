import { routeContract } from '../route-contract.ts';
import { putNoteInput } from './put-note-input.ts';
import { preferMinimalHeader, writtenNote, writtenNoteHeaders } from './note-receipt.ts';
import { proposedResponse } from './proposal.ts';
import { idempotencyKeyHeader, ifMatchHeader, noteParams } from './note-route.ts';

export const putNoteContract = routeContract({
  operationId: 'putNote',
  service: 'notes',
  method: 'put',
  path: '/api/notes/{id}',
  tag: 'Notes',
  summary: 'Write a note',
  description: `Replaces every writable field; absent fields take their defaults. An unknown id is created; a deleted note
is restored and its revisions continue. A note that was read with GET may be sent back as it is: read-only fields are
accepted with the values they have, and any other value is 400.

With \`If-Match\` a note that has changed is 412, with the current note in \`current\` of the problem. A retry is
safe: if the stored note already equals the body, the response is 200 and nothing changes.`,
  params: noteParams,
  headers: {
    ...ifMatchHeader,
    ...preferMinimalHeader,
    ...idempotencyKeyHeader,
    'If-None-Match': '`*`: create only; 412 if an active note has this id.',
  },
  body: putNoteInput,
  // 512 KiB of content with JSON escapes.
  bodyBytesMax: 2 * 1024 * 1024,
  responses: {
    200: {
      description: 'Replaced, or already equal to the body (same revision)',
      schema: writtenNote,
      headers: writtenNoteHeaders,
    },
    201: {
      description: 'Created, or restored after a deletion',
      schema: writtenNote,
      headers: { ...writtenNoteHeaders, Location: { description: 'The path of the note' } },
    },
    202: proposedResponse,
  },
  errors: [
    'proposal_not_possible',
    'proposal_limit',
    'malformed_header',
    'mutation_id_reused',
    'precondition_failed',
  ],
  access: {
    kind: 'company',
    company: 'entity_or_selected',
    agents: 'own_company',
    scope: 'notes:write',
    grants: 'kept',
    operators: 'operator',
    entities: { id: 'note' },
    state: 'handler',
  },
});
