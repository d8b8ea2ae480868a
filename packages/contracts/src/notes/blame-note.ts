import { z } from 'zod';
import { queryInt, queryIntOr, timestamp } from '../common.ts';
import { noteId, proposalId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { namedAuthor } from './author.ts';
import { noteParams } from './note-route.ts';

/** The limit of lines in a response. */
export const blameLinesMax = 1_000;

const line = { min: 1, max: 2_147_483_647 } as const;

/** Adjacent lines with the same origin. */
export const blameRange = z
  .object({
    fromLine: z.int(),
    toLine: z.int(),
    revision: z.int(),
    at: timestamp,
    author: namedAuthor,
    proposal: z.object({ proposalId, acceptedBy: namedAuthor }).optional().meta({
      description: 'The proposal of its author that the version was, and who accepted it',
    }),
    atOrBefore: z.boolean().meta({
      description: 'The lines are as old as this version or older; author and time are its own',
    }),
  })
  .meta({ id: 'BlameRange', description: 'Adjacent lines with the same origin' });
export type BlameRange = z.infer<typeof blameRange>;

export const blameNoteContract = routeContract({
  operationId: 'blameNote',
  service: 'notes',
  method: 'get',
  path: '/api/notes/{id}/blame',
  tag: 'Notes',
  summary: 'Find who wrote which lines of a note',
  description: `The version that brought each line of the current content, with its author and time. At most
${blameLinesMax} lines in a response. Looks at up to 200 versions and 4 MiB of text; lines whose origin is not among them are
in ranges with \`atOrBefore\`, and \`truncated\` is true. Restoring a deleted note changes no line.`,
  params: noteParams,
  query: z.object({
    fromLine: queryIntOr(1, line.min, line.max).meta({ description: 'The first line, from 1' }),
    toLine: queryInt(line.min, line.max)
      .optional()
      .meta({
        description: `The last line. Default, and at most: ${blameLinesMax} lines`,
      }),
  }),
  responses: {
    200: {
      description: 'Ranges of lines with their origin',
      schema: z
        .object({
          noteId,
          revision: z.int().meta({ description: 'The current version' }),
          lines: z.int().meta({ description: 'Lines of the whole content' }),
          truncated: z.boolean().meta({ description: 'Whether a range is `atOrBefore`' }),
          ranges: z.array(blameRange),
        })
        .meta({ id: 'NoteBlame', description: 'Who wrote which lines of a note' }),
    },
  },
  errors: ['not_found', 'note_deleted'],
  access: {
    kind: 'company',
    company: 'entity',
    agents: 'own_company',
    scope: 'notes:read',
    grants: 'kept',
    operators: 'viewer',
    entities: { id: 'note' },
  },
});
