import { z } from 'zod';
import { timestamp } from '../common.ts';
import { companyId, noteId } from '../ids.ts';
import { author } from './author.ts';
import { noteProperties } from './note-fields.ts';

const fields = {
  id: noteId,
  companyId,
  title: z.string(),
  folder: z.string(),
  tags: z.array(z.string()),
  pinned: z.boolean(),
  archived: z.boolean(),
  properties: noteProperties,
  revision: z
    .int()
    .meta({ description: 'Starts at 1 and increments with every change of this note' }),
  size: z.int().meta({ description: 'Bytes of the content' }),
  snippet: z
    .string()
    .meta({ description: 'The first 200 characters of the content as plain text' }),
  conflictOf: noteId.nullable().meta({ description: 'This note is a conflict copy of that one' }),
  createdAt: timestamp,
  updatedAt: timestamp,
  deletedAt: timestamp.nullable().meta({ description: 'Set on a tombstone' }),
  createdBy: author,
  updatedBy: author,
};

/** A note. */
export const noteData = z
  .object({ ...fields, content: z.string().meta({ description: 'Markdown' }) })
  .meta({ id: 'NoteData', description: 'A note' });
export type NoteData = z.infer<typeof noteData>;

/** The part of the content in a response. */
export const noteWindow = z
  .object({
    from: z.int().meta({ description: 'The first byte of the window' }),
    to: z.int().meta({ description: 'The byte after the window: `from` of the next one' }),
    size: z.int().meta({ description: 'Bytes of the whole content' }),
    truncated: z.boolean().meta({ description: 'Whether content follows the window' }),
  })
  .meta({ id: 'NoteWindow', description: 'The part of the content, in bytes of UTF-8' });
export type NoteWindow = z.infer<typeof noteWindow>;

/** A note as it is read: with `window`, only that part of the content. */
export const readNote = z
  .object({
    ...noteData.shape,
    window: noteWindow.optional().meta({
      description: 'Only if a window was requested; `content` is that part of the content',
    }),
  })
  .meta({ id: 'ReadNote', description: 'A note; with `window`, only that part of its content' });
export type ReadNote = z.infer<typeof readNote>;

/** A note without its content, for lists. */
export const noteSummary = z
  .object(fields)
  .meta({ id: 'NoteSummary', description: 'A note without its content' });
export type NoteSummary = z.infer<typeof noteSummary>;

/** A note in a list or a pull; tombstones and summaries have no content. */
export const noteOrSummary = z
  .object({
    ...fields,
    content: z.string().optional(),
    reason: z
      .literal('not_granted')
      .optional()
      .meta({
        description:
          'Of a tombstone in a pull: the note was not deleted, but is in no folder that the credential reaches. It shows ' +
          'what the note was before',
      }),
  })
  .meta({
    id: 'NoteOrSummary',
    description: 'A note; tombstones (with `deletedAt`) and summaries have no `content`',
  });
export type NoteOrSummary = z.infer<typeof noteOrSummary>;

/** A part of a content that says why a search found a note. */
export const notePassage = z
  .object({
    text: z.string().meta({ description: 'Up to 240 characters of the content, as they are' }),
    fromLine: z.int().meta({ description: 'The line of the content where it begins, from 1' }),
    toLine: z.int(),
    headings: z.array(z.string()).meta({ description: 'What it stands under, outermost first' }),
  })
  .meta({ id: 'NotePassage', description: 'A part of a content that matches a search' });
export type NotePassage = z.infer<typeof notePassage>;

/** Why a note has its place among the results of a search. */
export const searchExplanation = z
  .object({
    score: z.number(),
    words: z.array(
      z.object({
        word: z.string(),
        weight: z
          .number()
          .meta({ description: 'The rarer a word, the greater; 0.3 at most for function words' }),
        count: z.number().meta({ description: 'Occurrences; in the title they count double' }),
      }),
    ),
    parts: z.object({
      words: z.number().meta({ description: 'BM25 of the words in all of the note' }),
      nearness: z.number().meta({ description: 'The words that one passage has' }),
    }),
  })
  .meta({ id: 'SearchExplanation', description: 'What the score of a note is made of' });
export type SearchExplanation = z.infer<typeof searchExplanation>;

/** A note in a list: as `NoteOrSummary`, and what a search adds. */
export const listedNote = z
  .object({
    ...fields,
    content: z.string().optional(),
    conflictCopies: z.int().optional().meta({
      description: 'Its active conflict copies, see `listConflicts`; absent: none',
    }),
    rank: z.number().optional().meta({
      description:
        'Of a search: how well the note matches. Comparable within one search; absent where notes are not compared',
    }),
    excerpt: z.string().optional().meta({
      description:
        'Of a search: the part of the content that matches, up to 240 characters of Markdown on one line, as plain text and not HTML. Matched words are between `⟦` and `⟧`; such characters of the content become `[` and `]`. `…` marks text left out',
    }),
    passages: z.array(notePassage).optional().meta({
      description: 'Of a search: up to three parts of the content that match, the best first',
    }),
    explanation: searchExplanation.optional().meta({ description: 'With `explain=true`' }),
  })
  .meta({
    id: 'ListedNote',
    description:
      'A note; tombstones (with `deletedAt`) and summaries have no `content`, results of a search have `rank`, `excerpt` and `passages`',
  });
export type ListedNote = z.infer<typeof listedNote>;
