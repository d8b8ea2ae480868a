import { z } from 'zod';
import { byNoteReaders } from '../access.ts';
import { longPageQuery, pageOf, pageQuery } from '../common.ts';
import { noteId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { isComplete } from './lists.ts';
import { noteFolder } from './note-input.ts';
import { noteParams } from './note-route.ts';

const noteLinks = z
  .object({
    links: z.array(
      z.object({
        target: noteId.nullable().meta({ description: 'The note the link leads to' }),
        title: z.string().meta({
          description: 'The title of the target; of an unresolved link, the title or id as written',
        }),
        resolved: z.boolean(),
      }),
    ),
    backlinks: z.array(
      z.object({
        id: noteId,
        title: z.string(),
        snippet: z.string().meta({ description: 'The text around the link, on one line' }),
      }),
    ),
    nextCursor: z.string().nullable(),
    isComplete,
  })
  .meta({ id: 'NoteLinks', description: 'The links of a note, and the notes that link to it' });
export type NoteLinks = z.infer<typeof noteLinks>;

export const listNoteLinksContract = routeContract({
  operationId: 'listNoteLinks',
  service: 'notes',
  method: 'get',
  path: '/api/notes/{id}/links',
  tag: 'Notes',
  summary: 'List the links of a note, and the notes that link to it',
  description: `Links are \`[[Title]]\`, \`[[Title|text]]\`, \`[[id]]\` and Markdown links to \`/notes/{id}\`, outside code;
each target counts once, at most 500 of a note. A title leads to the note that has it, letter case aside: of several to
the newest in the folder of the linking note, or else to the newest of all; notes that the caller does not see do not
count. It is resolved when links are read, so links follow titles that come and go. \`limit\`
applies to links and to backlinks; \`nextCursor\` is null when both are at their end.`,
  params: noteParams,
  query: z.object(pageQuery),
  responses: { 200: { description: 'A page of links and backlinks', schema: noteLinks } },
  errors: ['not_found', 'note_deleted'],
  access: byNoteReaders('id'),
});

const brokenLink = z
  .object({
    note: z.object({ id: noteId, title: z.string(), folder: z.string() }).meta({
      description: 'The note that has the link',
    }),
    title: z.string().meta({ description: 'The title or id to which it links, as written' }),
  })
  .meta({ id: 'BrokenLink', description: 'A link that leads to no note' });
export type BrokenLink = z.infer<typeof brokenLink>;

export const listBrokenLinksContract = routeContract({
  operationId: 'listBrokenLinks',
  service: 'notes',
  method: 'get',
  path: '/api/notes/broken-links',
  tag: 'Notes',
  summary: 'List the links that lead to no note',
  description: `By note, in the order of its text: links to a title that no note has, and to an id of a deleted note or of none.
Notes that the caller does not see count as none. Links of archived notes and of conflict copies are left out. A page
examines up to 2,000 links, so it may have few items or none and yet a \`nextCursor\`.`,
  query: z.object({
    ...longPageQuery,
    folder: noteFolder.optional().meta({
      description: 'Only links of notes in this folder and its subfolders',
    }),
  }),
  responses: {
    200: {
      description: 'A page of broken links',
      schema: pageOf(brokenLink).extend({ isComplete }),
    },
  },
  errors: [],
  access: byNoteReaders(),
});
