import { z } from 'zod';
import { routeContract } from '../route-contract.ts';
import { noteInput } from './note-input.ts';
import { idempotencyKeyHeader } from './note-route.ts';
import { proposedResponse, writeReason } from './proposal.ts';
import { preferMinimalHeader, writtenNote, writtenNoteHeaders } from './note-receipt.ts';

/** What to do when the folder has a note of this title. */
export const ifTitleExists = z.enum(['create', 'return', 'fail']).meta({
  description: `If the folder has a note of this title, letter case aside: \`create\` another one, \`return\` the existing one
with 200 (or with 202 the open proposal of the caller for a new note of this title), or \`fail\` with 409 \`title_exists\``,
});
export type IfTitleExists = z.infer<typeof ifTitleExists>;

export const createNoteContract = routeContract({
  operationId: 'createNote',
  service: 'notes',
  method: 'post',
  path: '/api/notes',
  tag: 'Notes',
  summary: 'Create a note',
  description: `Creates a note whose id the server chooses. With \`ifTitleExists\` other than \`create\` a folder gets one
note of a title, however many callers create it at once.

With \`Idempotency-Key\` a retry returns the first result; the same key with another body is 409
\`mutation_id_reused\`.`,
  headers: {
    ...idempotencyKeyHeader,
    ...preferMinimalHeader,
  },
  body: z
    .strictObject({
      ...noteInput.shape,
      ifTitleExists: ifTitleExists.default('create'),
      reason: writeReason,
    })
    .meta({ id: 'CreateNoteRequest', description: 'The writable fields of a note' }),
  // 512 KiB of content with JSON escapes.
  bodyBytesMax: 2 * 1024 * 1024,
  responses: {
    200: {
      description: 'The folder has a note of this title: that note, unchanged',
      schema: writtenNote,
      headers: writtenNoteHeaders,
    },
    201: {
      description: 'Created',
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
    'title_exists',
  ],
  access: {
    kind: 'company',
    company: 'selected',
    agents: 'own_company',
    scope: 'notes:write',
    grants: 'kept',
    operators: 'operator',
  },
});
