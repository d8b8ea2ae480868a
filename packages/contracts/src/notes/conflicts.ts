import { z } from 'zod';
import { byNoteReaders, byNoteWriters } from '../access.ts';
import { pageOf, pageQuery } from '../common.ts';
import { noteId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { namedAuthor } from './author.ts';
import { noteSummary } from './note-data.ts';
import { noteText } from './note-input.ts';
import { ifMatchHeader, noteParams } from './note-route.ts';
import { preferMinimalHeader, writtenNote, writtenNoteHeaders } from './notes.ts';

const conflictCopy = z
  .object({ ...noteSummary.shape, createdBy: namedAuthor, updatedBy: namedAuthor })
  .meta({ id: 'ConflictCopy', description: 'A conflict copy without its content' });
export type ConflictCopy = z.infer<typeof conflictCopy>;

export const listConflictsContract = routeContract({
  operationId: 'listConflicts',
  service: 'notes',
  method: 'get',
  path: '/api/notes/{id}/conflicts',
  tag: 'Notes',
  summary: 'List the conflict copies of a note',
  description: 'The active ones, oldest first. `resolveConflict` settles one of them.',
  params: noteParams,
  query: z.object(pageQuery),
  responses: { 200: { description: 'A page of copies', schema: pageOf(conflictCopy) } },
  errors: ['not_found'],
  access: byNoteReaders('id'),
});

const copyRevision = z.int().min(1).max(2_147_483_647).optional().meta({
  description:
    'The revision of the copy that was read: 412 if it has another one, because what was written into it since would be deleted unread',
});

/** What the note becomes when a conflict is resolved. */
export const conflictResolution = z
  .union([
    z.strictObject({
      keep: z.enum(['this', 'other', 'both']).meta({
        description: `\`this\`: the note stays as it is. \`other\`: it takes all writable fields of the copy. \`both\`: the
content of the copy is added at the end.`,
      }),
      copyRevision,
    }),
    z.strictObject({
      content: noteText().meta({ description: 'The content of the note' }),
      copyRevision,
    }),
  ])
  .meta({
    id: 'ConflictResolution',
    description: 'What to keep, or the content of the note',
  });
export type ConflictResolution = z.infer<typeof conflictResolution>;

export const resolveConflictContract = routeContract({
  operationId: 'resolveConflict',
  service: 'notes',
  method: 'post',
  path: '/api/notes/{id}/conflicts/{copyId}/resolve',
  tag: 'Notes',
  summary: 'Resolve a conflict',
  description: `Changes the note and deletes its conflict copy, both or neither. A retry is safe: if the copy is deleted and
the note has what the request keeps, the response is 200 and nothing changes. Otherwise a deleted copy is 404
\`note_deleted\`. A result beyond the size of a note is 413.`,
  params: z.object({ id: noteId, copyId: noteId }),
  headers: { ...ifMatchHeader, ...preferMinimalHeader },
  body: conflictResolution,
  // 512 KiB of content with JSON escapes.
  bodyBytesMax: 2 * 1024 * 1024,
  responses: {
    200: { description: 'The note', schema: writtenNote, headers: writtenNoteHeaders },
  },
  errors: ['proposal_not_possible', 'not_found', 'note_deleted', 'precondition_failed'],
  access: byNoteWriters('id', 'copyId'),
});
