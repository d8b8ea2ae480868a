import { z } from 'zod';
import { byNoteReaders } from '../access.ts';
import { isStorableText, longPageQuery, pageOf, queryFlag, timestamp } from '../common.ts';
import { routeContract } from '../route-contract.ts';
import { listedNote } from './note-data.ts';
import { noteLimits } from './note-limits.ts';
import { noteFolder, noteTag } from './note-input.ts';
import { noteHeaders } from './note-route.ts';

const parameters = z.object({
  ...longPageQuery,
  view: z
    .enum(['summary', 'full'])
    .default('summary')
    .meta({ description: '`summary` omits `content`' }),
  q: z
    .string()
    .min(1)
    .max(500)
    .refine(isStorableText, 'must not hold NUL or lone surrogates')
    .optional()
    .meta({
      description:
        'Full text in web search syntax (`"a phrase" -without or`), best match first; `sort` and `order` do not apply. Finds words in every form and language, with and without accents, in title, tags, folder and content; phrases as they are; identifiers by their parts. If nothing matches, words that are in no note are corrected; if still nothing does, the notes with any of the words are ranked as by `match=best`, and `matched` is `any`',
    }),
  match: z.enum(['words', 'prefix', 'best']).optional().meta({
    description:
      '`words`, the default: every word must match. `prefix`: and the last one is the beginning of a word, for search as you type. `best`: for questions; notes with any of the words, those with all of them and the best first (BM25 of title, tags, folder and content, and words near each other), at most 200. `"a phrase"` and `-without` bind; `or` is a word',
  }),
  explain: queryFlag.optional().meta({
    description:
      'Adds to each note of a search that ranks any of the words (`match=best`, and where no note has all) what its score is made of',
  }),
  tag: z
    .array(noteTag)
    .max(noteLimits.tagsMax)
    .default([])
    .meta({ description: 'Repeatable; all must match' }),
  folder: noteFolder.optional().meta({ description: 'The folder and its subfolders' }),
  pinned: queryFlag
    .optional()
    .meta({ description: 'Only pinned, or only other notes. Default: both' }),
  archived: queryFlag
    .optional()
    .meta({ description: 'Only archived, or only other notes. Default: both' }),
  author: z
    .guid('must be a UUID')
    .transform((text) => text.toLowerCase())
    .optional()
    .meta({ type: 'string', format: 'uuid', description: 'The author of the current version' }),
  conflicts: z.enum(['only', 'exclude']).optional().meta({
    description:
      '`only`: conflict copies. `exclude`: one row for a note and its conflict copies, which its `conflictCopies` counts; a copy whose note is deleted stays. Default: copies are notes of their own',
  }),
  deleted: z.enum(['exclude', 'only', 'include']).default('exclude'),
  updatedSince: timestamp.optional().meta({
    description: 'Not before this time: UTC with milliseconds, as 2026-01-31T09:30:00.000Z',
  }),
  updatedUntil: timestamp.optional().meta({ description: 'Not after this time' }),
  sort: z.enum(['updatedAt', 'createdAt', 'title']).default('updatedAt'),
  order: z.enum(['asc', 'desc']).default('desc'),
});

/** Parameters of a search have no effect without one. */
const query = parameters.superRefine(({ q, match, explain }, context) => {
  for (const [name, value] of Object.entries({ match, explain })) {
    if (q === undefined && value !== undefined) {
      context.addIssue({ code: 'custom', path: [name], message: 'only with `q`' });
    }
  }
});

/** What a misspelled word of a search was taken for. */
const searchCorrection = z.object({ word: z.string(), replacements: z.array(z.string()) }).meta({
  id: 'SearchCorrection',
  description:
    'A word of a search that is in no note, and the words of notes that were searched for in its place; without case and accents',
});

export type SearchCorrection = z.infer<typeof searchCorrection>;

const notePage = pageOf(listedNote).extend({
  matched: z.enum(['all', 'any']).optional().meta({
    description:
      'Of a search: whether the notes have all words of `q`, or any of them (`match=best`, and where no note has all)',
  }),
  corrections: z.array(searchCorrection).optional().meta({
    description: 'Of a search: the words that were corrected, if any were',
  }),
  ranking: z.enum(['lexical', 'hybrid']).optional().meta({
    description:
      'Of a search that ranks any of the words: by the words alone, or by meaning as well (`hybrid`: an owner has switched it on, and the service responded in time)',
  }),
  isComplete: z.boolean().optional().meta({
    description:
      'Of a search: it had every earlier write. False if after five seconds notes were still being indexed, as after a large import: retry later',
  }),
});

const listHeaders = {
  ...noteHeaders,
  ETag: { description: 'Weak; covers the state of the company and this query' },
};

export const listNotesContract = routeContract({
  operationId: 'listNotes',
  service: 'notes',
  method: 'get',
  path: '/api/notes',
  tag: 'Notes',
  summary: 'Browse and search notes',
  description: `For browsing; to keep a copy, use \`POST /api/sync\`. The cursor is bound to the other parameters. The weak ETag
covers company, query and the state of the company's notes, so a 304 is cheap. With \`view=full\` a page ends after about
4 MiB, even with fewer than \`limit\` notes.

A cursor of a search with \`match=best\` ends with the statistics of words that it was made with: 410 after they were made
again, which happens when the number of notes has changed by a tenth. A cursor of a \`hybrid\` page goes on by words if the service
is unavailable by then (\`ranking\` says so), without repeating or leaving out a note.

Archived notes are included unless \`archived=false\`; deleted ones are not, unless \`deleted\` says so.`,
  query,
  headers: { 'If-None-Match': 'Respond with 304 if nothing changed since this ETag.' },
  responses: {
    200: {
      description: 'A page of notes',
      schema: notePage,
      headers: listHeaders,
    },
    304: { description: 'Nothing changed since the ETag of If-None-Match', headers: listHeaders },
  },
  errors: ['cursor_expired'],
  access: byNoteReaders(),
});

const count = z.int().meta({ description: 'Notes that are not deleted, archived ones included' });

/** False while the notes written before the upgrade to this release are still being added. */
export const isComplete = z.boolean().meta({
  description:
    'Every earlier write is included. False for some time after an upgrade or a large import: retry later.',
});

const access = {
  kind: 'company',
  company: 'selected',
  agents: 'own_company',
  scope: 'notes:read',
  grants: 'kept',
  operators: 'viewer',
} as const;

export const listFoldersContract = routeContract({
  operationId: 'listFolders',
  service: 'notes',
  method: 'get',
  path: '/api/notes/folders',
  tag: 'Notes',
  summary: 'List the folders with notes',
  description: `In byte order, each with the number of notes directly in it; the root is \`""\`. A folder exists while a
note is in it, so \`a\` is not listed when only \`a/b\` holds notes. A page takes constant work, whatever the number of notes.`,
  query: z.object({
    ...longPageQuery,
    folder: noteFolder.optional().meta({ description: 'This folder and its subfolders' }),
  }),
  responses: {
    200: {
      description: 'A page of folders',
      schema: pageOf(z.object({ folder: z.string(), notes: count })).extend({ isComplete }),
    },
  },
  errors: [],
  access,
});

export const listTagsContract = routeContract({
  operationId: 'listTags',
  service: 'notes',
  method: 'get',
  path: '/api/notes/tags',
  tag: 'Notes',
  summary: 'List the tags in use',
  description:
    'In byte order, each with the number of notes that have it. A page takes constant work, whatever the number of notes.',
  query: z.object({
    ...longPageQuery,
    prefix: noteTag.optional().meta({ description: 'Only tags that start with this text' }),
  }),
  responses: {
    200: {
      description: 'A page of tags',
      schema: pageOf(z.object({ tag: z.string(), notes: count })).extend({ isComplete }),
    },
  },
  errors: [],
  access,
});
