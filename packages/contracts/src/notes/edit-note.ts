import { z } from 'zod';
import { byNoteWriters } from '../access.ts';
import { plainText, timestamp } from '../common.ts';
import { noteId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { noteEdit, noteEditsMax } from './note-edit.ts';
import { namedAuthor } from './author.ts';
import { noteData } from './note-data.ts';
import { noteReceipt, preferMinimalHeader, writtenNoteHeaders } from './notes.ts';
import { proposedResponse, writeReason } from './proposals.ts';
import { idempotencyKeyHeader, ifMatchHeader, noteParams } from './note-route.ts';

const count = () => z.int().min(0);

/** The lines that edits changed, and what others changed before. */
export const noteChanges = z
  .object({
    lines: z
      .array(z.object({ line: z.int().min(1), added: count(), removed: count() }))
      .nullable()
      .meta({
        description: `Where the content changed, at most 20 places: from \`line\` of the new content, \`added\` lines stand for
\`removed\` lines. Null for a retry.`,
      }),
    since: z
      .object({
        revisions: z.array(
          z.object({ revision: z.int().min(1), at: timestamp, author: namedAuthor }),
        ),
        hasMore: z.boolean(),
        linesAdded: count().nullable(),
        linesRemoved: count().nullable(),
      })
      .optional()
      .meta({
        description: `With \`sinceRevision\`: the newest 20 versions between that one and the edit, and the lines by which their
texts differ (null: too much to compare, or not stored any more)`,
      }),
    linksUpdated: z
      .array(noteId)
      .optional()
      .meta({ description: 'With `updateLinks`: the notes whose links were changed' }),
    linksNotUpdated: z.array(noteId).optional().meta({
      description:
        'With `updateLinks`: notes that have the old title in their links, because the new one would make them larger than a note may be, or because the caller may not write them; absent where there are none',
    }),
  })
  .meta({ id: 'NoteChanges', description: 'What an edit changed' });
export type NoteChanges = z.infer<typeof noteChanges>;

const changed = noteChanges.optional().meta({
  description: 'With `showChanges`, `sinceRevision` or `updateLinks`',
});

/** The body of a successful edit: the note, or a receipt if the client prefers one, and what changed if it was requested. */
export const editedNote = z.union([noteData.extend({ changed }), noteReceipt.extend({ changed })]);
export type EditedNote = z.infer<typeof editedNote>;

/** The most notes whose links one rename updates, and the most bytes of their text. */
export const linkUpdatesMax = { notes: 100, bytes: 4 * 1024 * 1024 } as const;

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

With \`showChanges\` the response names the lines that changed, with \`sinceRevision\` also what others changed since. With \`updateLinks\` a rename also changes the links of up to
${linkUpdatesMax.notes} notes with ${linkUpdatesMax.bytes / (1024 * 1024)} MiB of text that lead here by the title; with more it is refused with
\`edit_not_applicable\`.

With \`mutationId\` a retry is safe: it returns the first result, also if the note has changed since. The same id with other
edits is 409 \`mutation_id_reused\`. The header \`Idempotency-Key\` does the same where the body has none.`,
  params: noteParams,
  headers: { ...ifMatchHeader, ...preferMinimalHeader, ...idempotencyKeyHeader },
  body: z
    .strictObject({
      edits: z.array(noteEdit).min(1).max(noteEditsMax),
      mutationId: plainText(1, 64).optional().meta({
        description: 'Unique per caller; makes a retry safe for 30 days',
      }),
      showChanges: z.boolean().optional().meta({
        description: 'Whether the response names the lines that changed',
      }),
      reason: writeReason,
      sinceRevision: z.int().min(1).max(2_147_483_647).optional().meta({
        description: 'The revision the caller read last: the response says what came since',
      }),
    })
    .meta({ id: 'EditNoteRequest' }),
  // As for PUT: 512 KiB of content with JSON escapes.
  bodyBytesMax: 2 * 1024 * 1024,
  responses: {
    200: {
      description: 'The edited note (the same revision if nothing changed)',
      schema: editedNote,
      headers: writtenNoteHeaders,
    },
    202: proposedResponse,
  },
  errors: [
    'proposal_not_possible',
    'proposal_limit',
    'note_deleted',
    'edit_not_applicable',
    'mutation_id_reused',
    'precondition_failed',
  ],
  access: {
    ...byNoteWriters('id'),
    state: 'handler',
  },
});
