import { z } from 'zod';
import { byNoteReaders } from '../access.ts';
import { pageOf, pageQuery, queryFlag, queryInt, timestamp } from '../common.ts';
import { dayRangeQuery } from '../day-range.ts';
import { connectionId, keyId, noteId, proposalId, runId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { namedAuthor } from './author.ts';
import { endedProposal } from './proposals.ts';

const lineCount = (what: string) =>
  z
    .int()
    .nullable()
    .meta({ description: `Lines of the content that were ${what}; null: not counted` });

const before = (what: string) =>
  z
    .string()
    .nullable()
    .meta({
      description: `The ${what} before this version; null: the same, or the version before is not stored`,
    });

/** One change of a note. */
export const noteActivity = z
  .object({
    noteId,
    title: z.string(),
    folder: z.string(),
    previousTitle: before('title'),
    previousFolder: before('folder'),
    revision: z.int(),
    deleted: z.boolean().meta({ description: 'Whether this version is a deletion' }),
    at: timestamp,
    author: namedAuthor,
    proposal: z.object({ proposalId, acceptedBy: namedAuthor }).optional().meta({
      description: 'The proposal of its author that the version was, and who accepted it',
    }),
    linesAdded: lineCount('added'),
    linesRemoved: lineCount('removed'),
  })
  .meta({ id: 'NoteActivity', description: 'One change of a note' });
export type NoteActivity = z.infer<typeof noteActivity>;

export const listNoteActivityContract = routeContract({
  operationId: 'listNoteActivity',
  service: 'notes',
  method: 'get',
  path: '/api/notes/activity',
  tag: 'Notes',
  summary: 'List who changed which note when',
  description: `Every stored version of the notes of the company, newest first, deletions and archived notes included. A page may have fewer than
\`limit\` items, or none, before the last one: go on while there is a \`nextCursor\`. Lines are not counted for large
versions, at the end of a page with much text, and where the version before is no longer stored.`,
  query: z.object({
    ...pageQuery,
    since: timestamp.optional().meta({
      description: 'Not before this time: UTC with milliseconds, as 2026-01-31T09:30:00.000Z',
    }),
    sinceChange: queryInt(0, 999_999_999_999_999).optional().meta({
      description:
        'After this position of the change feed, as `head` of `GET /api/notes/changes` has it; give a time shortly before it with `since`, so that older versions are not looked at',
    }),
    until: timestamp.optional().meta({ description: 'Before this time, written as `since`' }),
    author: z
      .guid('must be a UUID')
      .transform((text) => text.toLowerCase())
      .optional()
      .meta({ type: 'string', format: 'uuid', description: 'Only changes of this author' }),
    runId: runId.optional().meta({
      description: 'Only changes made with the token of this run',
    }),
    keyId: keyId.optional().meta({
      description: 'Only changes made with this API key itself, not with the runs it began',
    }),
    connectionId: connectionId.optional().meta({
      description: 'Only changes made with this connection',
    }),
    excludeSelf: queryFlag.optional().meta({ description: 'Without changes of the caller' }),
  }),
  responses: {
    200: {
      description: 'A page of changes',
      schema: pageOf(noteActivity).extend({
        proposals: z.array(endedProposal).optional().meta({
          description:
            'On the first page, for an agent: what became of its own proposals since `since`, the newest 20. Absent: nothing',
        }),
      }),
    },
  },
  errors: [],
  access: byNoteReaders(),
});

/** The number of versions that one request counts. */
export const countedVersionsMax = 100_000;

const dayChanges = z
  .object({
    day: z.iso.date(),
    notes: z.int().nullable().meta({ description: 'Notes that changed; null: not counted' }),
    changes: z.int().nullable().meta({ description: 'Their stored versions; null: not counted' }),
  })
  .meta({ id: 'NoteChangesOfDay', description: 'How many notes changed on a day' });

export const noteChangeCounts = z
  .object({
    from: z.iso.date(),
    to: z.iso.date(),
    items: z.array(dayChanges).meta({ description: 'Every day of the range in order' }),
    countedFrom: timestamp
      .nullable()
      .meta({ description: 'Earlier days are not counted; null: all are' }),
  })
  .meta({ id: 'NoteChangeCounts', description: 'How many notes changed by day' });
export type NoteChangeCounts = z.infer<typeof noteChangeCounts>;

export const countNoteChangesContract = routeContract({
  operationId: 'countNoteChanges',
  service: 'notes',
  method: 'get',
  path: '/api/notes/activity/days',
  tag: 'Notes',
  summary: 'Count the changed notes by day',
  description: `How many notes changed on each UTC day, and by how many stored versions, deletions and archived notes included. One
request counts the newest ${countedVersionsMax.toLocaleString('en')} versions of the range; days before them are null, and \`countedFrom\` says where
counting began.`,
  query: dayRangeQuery({}),
  responses: { 200: { description: 'The counts', schema: noteChangeCounts } },
  errors: [],
  access: byNoteReaders(),
});
