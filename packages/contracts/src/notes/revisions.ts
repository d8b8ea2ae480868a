import { z } from 'zod';
import { byNoteReaders } from '../access.ts';
import { pageOf, pageQuery, queryInt, queryIntOr, timestamp } from '../common.ts';
import { noteId, proposalId, undoId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { author, namedAuthor } from './author.ts';
import { noteProperties } from './note-fields.ts';
import { noteParams } from './note-route.ts';

/** What a version that an undo wrote takes back. */
const undoReference = z.object({ undoId, revisions: z.array(z.int()) }).meta({
  id: 'UndoReference',
  description: 'The undo that wrote the version, and what it undoes',
});

/** The proposal that a version was. */
const acceptedProposal = z.object({ proposalId, acceptedBy: author }).meta({
  id: 'AcceptedProposal',
  description: 'The proposal of its author that the version was, and who accepted it',
});

const fields = {
  noteId,
  revision: z.int(),
  deleted: z.boolean().meta({ description: 'Whether this version is a deletion' }),
  title: z.string(),
  folder: z.string(),
  tags: z.array(z.string()),
  pinned: z.boolean(),
  archived: z.boolean(),
  size: z.int(),
  createdAt: timestamp,
  createdBy: author,
  restoredFrom: z.int().optional().meta({
    description: 'The earlier version that this one restored; absent where it restored none',
  }),
  proposal: acceptedProposal.optional(),
  undoes: undoReference.optional(),
};

/** A stored version of a note in a list. */
export const noteRevisionSummary = z.object(fields).meta({
  id: 'NoteRevisionSummary',
  description: 'A stored version of a note, without its content',
});

/** A stored version of a note. */
export const noteRevision = z
  .object({ ...fields, content: z.string(), properties: noteProperties })
  .meta({ id: 'NoteRevision', description: 'A stored version of a note' });
export type NoteRevision = z.infer<typeof noteRevision>;
export type NoteRevisionSummary = z.infer<typeof noteRevisionSummary>;

export const listRevisionsContract = routeContract({
  operationId: 'listRevisions',
  service: 'notes',
  method: 'get',
  path: '/api/notes/{id}/revisions',
  tag: 'Notes',
  summary: 'List the versions of a note',
  description:
    'Newest first, with author and time, including deletions. Deleted notes keep their versions.',
  params: noteParams,
  query: z.object(pageQuery),
  responses: { 200: { description: 'A page of versions', schema: pageOf(noteRevisionSummary) } },
  errors: ['not_found'],
  access: byNoteReaders('id'),
});

export const getRevisionContract = routeContract({
  operationId: 'getRevision',
  service: 'notes',
  method: 'get',
  path: '/api/notes/{id}/revisions/{revision}',
  tag: 'Notes',
  summary: 'Read one version of a note',
  params: z.object({ id: noteId, revision: queryInt(1, 2_147_483_647) }),
  responses: { 200: { description: 'The version', schema: noteRevision } },
  errors: ['not_found'],
  access: byNoteReaders('id'),
});

const revision = queryInt(1, 2_147_483_647);

/** How one field differs between two versions. */
export const fieldDiff = z
  .object({
    field: z.enum([
      'deleted',
      'title',
      'folder',
      'tags',
      'pinned',
      'archived',
      'properties',
      'content',
    ]),
    diff: z.string().meta({
      description:
        'Hunks of a unified diff; tags and properties are compared as JSON with sorted keys',
    }),
    truncated: z.boolean().meta({
      description:
        'The diff ends after 64 Ki characters, or shows a part as removed and added as a whole, because a comparison would take too long',
    }),
  })
  .meta({ id: 'FieldDiff', description: 'How one field differs between two versions' });
export type FieldDiff = z.infer<typeof fieldDiff>;

export const diffNoteContract = routeContract({
  operationId: 'diffNote',
  service: 'notes',
  method: 'get',
  path: '/api/notes/{id}/diff',
  tag: 'Notes',
  summary: 'Compare two versions of a note',
  description:
    'A unified diff of each field that differs. `to` may be older than `from`. Deleted notes have diffs too.',
  params: noteParams,
  query: z.object({
    from: revision.meta({ description: 'The version to start from' }),
    to: revision.optional().meta({ description: 'Default: the current version' }),
    context: queryIntOr(3, 0, 20).meta({ description: 'Equal lines around each change' }),
  }),
  responses: {
    200: {
      description: 'The differences',
      schema: z
        .object({ noteId, from: z.int(), to: z.int(), fields: z.array(fieldDiff) })
        .meta({ id: 'NoteDiff', description: 'The differences between two versions of a note' }),
    },
  },
  errors: ['not_found'],
  access: byNoteReaders('id'),
});

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
  access: byNoteReaders('id'),
});
