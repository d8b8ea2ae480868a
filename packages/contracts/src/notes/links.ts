import { z } from 'zod';
import { byNoteReaders } from '../access.ts';
import { pageQuery } from '../common.ts';
import { noteId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { isComplete } from './lists.ts';
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
