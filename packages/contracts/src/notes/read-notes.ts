import { z } from 'zod';
import { byNoteReaders } from '../access.ts';
import { queryInt, timestamp } from '../common.ts';
import { noteId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { isComplete } from './lists.ts';
import { noteData, readNote } from './note-data.ts';
import { noteLimits } from './note-limits.ts';
import { noteFolder, noteTitle } from './note-input.ts';
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
  access: byNoteReaders('id'),
});

/** Whose address does not say which note it is. */
const namedNoteHeaders = {
  ...noteHeaders,
  ETag: {
    description:
      'The revision and the id in double quotes, for If-Match and If-None-Match: the note of this title may be another one the next time',
  },
} as const;

export const getNoteByPathContract = routeContract({
  operationId: 'getNoteByPath',
  service: 'notes',
  method: 'get',
  path: '/api/notes/by-path',
  tag: 'Notes',
  summary: 'Read a note by folder and title',
  description: `Letter case of the title does not matter, unless it distinguishes several notes. A note comes before its
conflict copies. Several notes are 409 \`ambiguous\`, with up to 20 \`candidates\` in the problem, the newest first; copies
have \`conflictOf\`.`,
  query: z.object({
    folder: noteFolder.default('').meta({ description: 'The folder; empty: the root' }),
    title: noteTitle,
  }),
  headers: { 'If-None-Match': 'Return 304 when the note still has this ETag.' },
  responses: {
    200: { description: 'The note', schema: noteData, headers: namedNoteHeaders },
    304: { description: 'The note matches the ETag of If-None-Match', headers: namedNoteHeaders },
  },
  errors: ['not_found', 'note_deleted', 'ambiguous'],
  access: byNoteReaders(),
});

const noteOfTitle = z.object({
  id: noteId,
  folder: z.string(),
  title: z.string(),
  revision: z.int(),
  updatedAt: timestamp,
  conflictOf: noteData.shape.conflictOf,
});

/** More notes of one title have to be named by their ids or folders. */
export const notesOfTitleMax = 20;

export const findNotesByTitleContract = routeContract({
  operationId: 'findNotesByTitle',
  service: 'notes',
  method: 'get',
  path: '/api/notes/by-title',
  tag: 'Notes',
  summary: 'Find the notes of a title',
  description: `The notes of a title in any folder, letter case and runs of white space aside, the newest first, and those that had
it: renamed notes with their present title, and deleted ones. At most ${notesOfTitleMax} of each.`,
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
          formerHasMore: z
            .boolean()
            .meta({ description: 'More notes than these may have had the title' }),
          isComplete,
        })
        .meta({ id: 'NotesOfTitle', description: 'The notes that have a title, or had it' }),
    },
  },
  errors: [],
  access: byNoteReaders(),
});

/** The limit of ids in a request. */
export const readNotesMax = 100;

const bytes = { default: 256 * 1024, max: 4 * 1024 * 1024 } as const;

export const readNotesContract = routeContract({
  operationId: 'readNotes',
  service: 'notes',
  method: 'post',
  path: '/api/notes/read',
  tag: 'Notes',
  summary: 'Read many notes',
  description: `Returns the notes in the order of \`ids\`, each once and whole. A note whose content does not fit in what is left of
\`maxBytes\` is in \`omitted\`; read it alone, or in windows. Unknown and deleted notes are in \`missing\`. An id of another
company is 403 for the whole request.`,
  body: z
    .strictObject({
      ids: z.array(noteId).min(1).max(readNotesMax),
      maxBytes: z.int().min(1).max(bytes.max).default(bytes.default).meta({
        description: 'Maximum bytes of all contents in UTF-8',
      }),
    })
    .meta({ id: 'ReadNotesRequest', description: 'The notes to read' }),
  responses: {
    200: {
      description: 'The notes that fit, and the ids of the others',
      schema: z
        .object({
          notes: z.array(noteData),
          omitted: z
            .array(z.object({ id: noteId, title: z.string(), size: noteData.shape.size }))
            .meta({ description: 'Notes that do not fit' }),
          missing: z.array(noteId).meta({ description: 'Ids without an active note' }),
        })
        .meta({ id: 'ReadNotes', description: 'Many notes' }),
    },
  },
  errors: [],
  access: {
    ...byNoteReaders(),
    state: 'any',
  },
});
