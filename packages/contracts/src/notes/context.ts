import { z } from 'zod';
import { byNoteReaders } from '../access.ts';
import { agentBudget } from '../agents/budgets.ts';
import { isStorableText, timestamp } from '../common.ts';
import { agentId, noteId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { namedAuthor } from './author.ts';
import { notePassage } from './note-data.ts';
import { noteFolder, noteTag } from './note-input.ts';
import { endedProposal } from './proposals.ts';

/** Limits and defaults of a context. */
export const contextLimits = {
  bytesMin: 4 * 1024,
  bytesDefault: 32 * 1024,
  bytesMax: 256 * 1024,
} as const;

const body = z
  .strictObject({
    query: z
      .string()
      .min(1)
      .max(500)
      .refine(isStorableText, 'must not hold NUL or lone surrogates')
      .optional()
      .meta({
        description:
          'What the agent is about to do, or a question; notes with any of the words are ranked for it',
      }),
    since: z
      .string()
      .min(1)
      .max(1024)
      .optional()
      .meta({ description: 'The `cursor` of the last context; absent: no changes are listed' }),
    maxBytes: z
      .int()
      .min(contextLimits.bytesMin)
      .max(contextLimits.bytesMax)
      .default(contextLimits.bytesDefault)
      .meta({ description: 'Bytes of UTF-8 that the Markdown may have' }),
    folders: z
      .array(noteFolder)
      .max(16)
      .default([])
      .meta({ description: 'Only notes in one of these folders or below' }),
    tags: z
      .array(noteTag)
      .max(16)
      .default([])
      .meta({ description: 'Only notes with all of these' }),
  })
  .meta({ id: 'ContextRequest', description: 'What a context is needed for, and its size' });

const reason = z
  .enum(['pinned', 'match', 'changed'])
  .meta({ description: 'Pinned, found by `query`, or changed by others since the cursor' });

const contextNote = z
  .object({
    id: noteId,
    revision: z.int(),
    title: z.string(),
    folder: z.string(),
    reason,
    updatedAt: timestamp,
    author: namedAuthor,
    deleted: z.boolean(),
    size: z.int().meta({ description: 'Bytes of the whole content' }),
    text: z.string().meta({
      description:
        'The content, or as much of its beginning as fits; of a match that does not fit, its passages with `…` between them',
    }),
    passages: z
      .array(notePassage)
      .optional()
      .meta({ description: 'Of a match that does not fit: what matches, with lines' }),
    truncated: z.boolean(),
  })
  .meta({ id: 'ContextNote', description: 'A note of a context' });

const colleague = z.object({ id: agentId, name: z.string(), title: z.string(), role: z.string() });

export const context = z
  .object({
    agent: z
      .object({
        id: agentId,
        name: z.string(),
        title: z.string(),
        role: z.string(),
        manager: colleague.nullable(),
        budget: agentBudget,
      })
      .nullable()
      .meta({ description: 'The calling agent; null for an operator' }),
    notes: z.array(contextNote).meta({ description: 'In order of value' }),
    omitted: z
      .array(z.object({ id: noteId, title: z.string(), reason }))
      .meta({ description: 'Notes without room for their text' }),
    moreOmitted: z
      .int()
      .meta({ description: 'Further notes, not even listed; at most 1,000 counted' }),
    proposals: z
      .object({
        open: z.int().meta({ description: 'Proposals of the agent that nobody decided yet' }),
        ended: z.array(endedProposal),
      })
      .optional()
      .meta({
        description:
          'Proposals of the calling agent: how many are open, and what became of the last five within a week. Absent: it has none',
      }),
    isComplete: z.boolean().optional().meta({
      description:
        'With `query`: false if matches may be missing, because notes are still being indexed after a large import',
    }),
    cursor: z.string().meta({ description: 'For `since` of the next context' }),
  })
  .meta({ id: 'Context', description: 'What an agent should know before it starts' });
export type Context = z.infer<typeof context>;

export const getContextContract = routeContract({
  operationId: 'getContext',
  service: 'notes',
  method: 'post',
  path: '/api/context',
  tag: 'Notes',
  summary: 'Gather what an agent should know',
  description: `In order of value: who the agent is, its manager and the budget left; pinned notes; notes that match \`query\`;
notes that others changed since the cursor. Each note has as much of its text as fits, at most a quarter of \`maxBytes\`;
what does not fit is in \`omitted\`. Changes nothing. With \`Accept: text/markdown\` the response is the same as Markdown.`,
  body,
  responses: {
    200: {
      description: 'The context, as JSON or as Markdown',
      schema: context,
      headers: { 'X-Context-Cursor': { description: 'The `cursor`, for readers of the Markdown' } },
      markdown: 'The context, to be given to a model as it is',
    },
  },
  errors: ['cursor_expired'],
  access: {
    ...byNoteReaders(),
    state: 'any',
  },
});
