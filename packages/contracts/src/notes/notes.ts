import { z } from 'zod';
import { byNoteWriters } from '../access.ts';
import { timestamp } from '../common.ts';
import { noteId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { noteData } from './note-data.ts';
import { noteInput, putNoteInput } from './note-input.ts';
import { idempotencyKeyHeader, ifMatchHeader, noteHeaders, noteParams } from './note-route.ts';
import { proposedResponse, writeReason } from './proposals.ts';

/** What a write returns with `Prefer: return=minimal`. */
export const noteReceipt = z
  .object({ id: noteId, revision: noteData.shape.revision, updatedAt: timestamp })
  .meta({ id: 'NoteReceipt', description: 'What a write returns with `Prefer: return=minimal`' });
export type NoteReceipt = z.infer<typeof noteReceipt>;

/** The body of a successful write: the note, or a receipt if the client prefers one. */
export const writtenNote = z.union([noteData, noteReceipt]);
export type WrittenNote = z.infer<typeof writtenNote>;

/** The request header of writes that can return a receipt. */
export const preferMinimalHeader = {
  Prefer: '`return=minimal`: return id, revision and updatedAt only (RFC 7240).',
} as const;

/** Headers of a response with a written note. */
export const writtenNoteHeaders = {
  ...noteHeaders,
  'Preference-Applied': {
    description: '`return=minimal` if the response is a receipt',
    isOptional: true,
  },
} as const;

/** What to do when the folder has a note of this title. */
export const ifTitleExists = z.enum(['create', 'return', 'fail']).meta({
  description: `If the folder has a note of this title, letter case aside: \`create\` another one, \`return\` the existing one
(before its conflict copies) with 200 (or with 202 the open proposal of the caller for a new note of this title), or \`fail\` with 409 \`title_exists\``,
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
  access: byNoteWriters(),
});

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
  // A client that forgets it would empty the note.
  needsBody: true,
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

export const deleteNoteContract = routeContract({
  operationId: 'deleteNote',
  service: 'notes',
  method: 'delete',
  path: '/api/notes/{id}',
  tag: 'Notes',
  summary: 'Delete a note',
  description:
    'Leaves a tombstone with the next revision, which other clients pull. Deleting it again changes nothing.',
  params: noteParams,
  headers: { ...ifMatchHeader, ...idempotencyKeyHeader },
  responses: { 204: { description: 'The note is deleted' } },
  errors: [
    'proposal_not_possible',
    'malformed_header',
    'mutation_id_reused',
    'not_found',
    'precondition_failed',
  ],
  access: {
    ...byNoteWriters('id'),
    state: 'handler',
  },
});

export const restoreNoteContract = routeContract({
  operationId: 'restoreNote',
  service: 'notes',
  method: 'post',
  path: '/api/notes/{id}/restore',
  tag: 'Notes',
  summary: 'Restore a deleted note or an old revision',
  description: `Without \`revision\` restores a deleted note; an active one stays unchanged. With \`revision\` restores that
version. Both create a new revision, unless nothing would change. With \`If-Match\` a note that has changed is 412;
a deleted one, too, unless the entity tag is the revision of its deletion.`,
  params: noteParams,
  headers: { ...ifMatchHeader, ...preferMinimalHeader, ...idempotencyKeyHeader },
  body: z.strictObject({
    revision: z
      .int()
      .min(1)
      .max(2_147_483_647)
      .optional()
      .meta({ description: 'The version to restore' }),
  }),
  responses: {
    200: {
      description: 'The note',
      schema: writtenNote,
      headers: {
        ...writtenNoteHeaders,
        'Note-Restored': {
          description:
            '`false` for a note that is not deleted and is as the version, so that nothing changed; otherwise `true`',
        },
      },
    },
  },
  errors: [
    'proposal_not_possible',
    'malformed_header',
    'mutation_id_reused',
    'not_found',
    'precondition_failed',
  ],
  access: byNoteWriters('id'),
});
