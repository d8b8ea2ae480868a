import { z } from 'zod';
import { byOperators } from '../access.ts';
import { pageQuery, timestamp } from '../common.ts';
import { type ErrorCode, errorCodes } from '../error-codes.ts';
import { agentId, connectionId, keyId, noteId, runId, undoId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { author } from './author.ts';

/** Notes that an undo may be limited to. */
export const undoNotesMax = 10_000;

/** What an undo can take back: exactly one of these. */
export const undoSources = {
  runId: runId.meta({ description: 'What was written with the tokens of this run' }),
  keyId: keyId.meta({
    description: 'What was written with this API key itself, not with the runs it began',
  }),
  connectionId: connectionId.meta({
    description: 'What was written by this connection of an OAuth client',
  }),
  agentId: agentId.meta({
    description: 'What this agent wrote with any credential, from `since` on',
  }),
  undoId: undoId.meta({ description: 'What another undo wrote: undoes that undo' }),
} as const;
export type UndoSourceName = keyof typeof undoSources;

const sourceNames = Object.keys(undoSources) as UndoSourceName[];

const optionalSources = {
  runId: undoSources.runId.optional(),
  keyId: undoSources.keyId.optional(),
  connectionId: undoSources.connectionId.optional(),
  agentId: undoSources.agentId.optional(),
  undoId: undoSources.undoId.optional(),
};

const range = {
  since: timestamp.optional().meta({ description: 'Only versions from this time on' }),
  until: timestamp.optional().meta({ description: 'Only versions before this time' }),
};

/** What an undo takes back, as it was requested. */
export const undoSource = z
  .object({ ...optionalSources, ...range })
  .meta({ id: 'UndoSource', description: 'What an undo takes back' });
export type UndoSource = z.infer<typeof undoSource>;

/** The request of an undo. */
export const undoRequest = z
  .strictObject({
    ...optionalSources,
    ...range,
    pause: z.boolean().default(true).meta({
      description: 'Whether the agent is paused first, which ends its runs',
    }),
    dryRun: z.boolean().default(false).meta({
      description: 'Decides about every note, and changes nothing: no note, and no agent',
    }),
    withdrawProposals: z.boolean().default(true).meta({
      description: 'Whether the open proposals of the source are rejected, whatever `noteIds` says',
    }),
    noteIds: z.array(noteId).min(1).max(undoNotesMax).optional().meta({
      description: 'Only these of the notes that the source wrote',
    }),
  })
  .superRefine((request, context) => {
    const named = sourceNames.filter((name) => request[name] !== undefined);
    if (named.length !== 1) {
      const message = `needs exactly one of ${sourceNames.join(', ')}`;
      context.addIssue({ code: 'custom', path: [named[1] ?? sourceNames[0] ?? ''], message });
    }
    if (request.agentId !== undefined && request.since === undefined) {
      context.addIssue({
        code: 'custom',
        path: ['since'],
        message: 'is needed with agentId: say from when on its changes are taken back',
      });
    }
  })
  .meta({ id: 'UndoRequest', description: 'What to take back, and how' });
export type UndoRequest = z.infer<typeof undoRequest>;

/** What became of a note. */
export const undoOutcomes = [
  'undone',
  'partly',
  'removed',
  'kept',
  'restored',
  'unchanged',
  'base_purged',
] as const;
export const undoOutcome = z.enum(undoOutcomes).meta({
  id: 'UndoOutcome',
  description: `\`undone\`: everything the source wrote is out of the note. \`partly\`: some is, and the rest, in \`lines\` and
\`fields\`, is not, because others changed it since. \`removed\`: the source created the note, and its text and title are of
nobody else; it is deleted, wherever others moved it. \`kept\`: others built on all of it, and nothing was changed.
\`restored\`: the source had deleted the note. \`unchanged\`: nothing of the source is left in it. \`base_purged\`: the
version before is no longer stored; nothing was changed.`,
});
export type UndoOutcome = z.infer<typeof undoOutcome>;

export const undoStatus = z.enum(['queued', 'running', 'succeeded', 'failed']);
export type UndoStatus = z.infer<typeof undoStatus>;

/** The version to which an undo takes a note back. */
export const undoBase = z
  .object({
    revision: z.int(),
    createdAt: timestamp,
    createdBy: author,
    othersSince: z.int().meta({
      description: 'How many later versions are of others: what they wrote stays',
    }),
  })
  .meta({ id: 'UndoBase', description: 'The version to which an undo takes a note back' });

/** What an undo did to a note, or would do. */
export const undoneNote = z
  .object({
    noteId,
    title: z
      .string()
      .meta({ description: 'The title after the undo; of a dry run, the present one' }),
    folder: z.string().meta({ description: 'The folder, of the same time as the title' }),
    outcome: undoOutcome,
    revision: z.int().nullable().meta({ description: 'The version it wrote; null: none' }),
    undoes: z.array(z.int()).meta({
      description: 'The versions of the source; of very many only the newest 1,000',
    }),
    base: undoBase.nullable().meta({
      description: `The version before the first one of the source that is taken out: the note goes back to it, with what others wrote
since. Of a note that is \`kept\`, the version before. Null: the source created the note, nothing of it is left, the
version is not known, or the undo is of an earlier release`,
    }),
    lines: z.array(z.string()).meta({
      description: 'Lines of the source that stay: the first 50, cut to 200 characters',
    }),
    fields: z.array(z.string()).meta({
      description: 'Fields that stay as they are, because others changed them since',
    }),
    conflictOf: noteId
      .nullable()
      .meta({ description: 'The note of which this one is a conflict copy; null: it is none' }),
    conflictCopies: z.array(noteId).meta({
      description: 'Conflict copies of this note made since the source wrote it, at most 20',
    }),
    merges: z.array(z.int()).meta({
      description:
        'Versions of others into which synchronisation merged what the source wrote, at most 20; known for as long as the mutations of their clients',
    }),
    detail: z.string().nullable().meta({ description: 'Why, where the outcome does not say it' }),
    diff: z
      .string()
      .nullable()
      .meta({
        description: `Of a dry run: how the content would change, as a unified diff. Where title, folder, tags, flags or properties would change,
the diff of each field that does, after the lines \`--- title\` and \`+++ title\`. At most 4,000 characters; null: nothing
would change, or the note is large`,
      }),
  })
  .meta({ id: 'UndoneNote', description: 'What an undo did to a note, or would do' });
export type UndoneNote = z.infer<typeof undoneNote>;

const counts = Object.fromEntries(undoOutcomes.map((name) => [name, z.int()])) as Record<
  UndoOutcome,
  z.ZodInt
>;

/** An undo. */
export const undo = z
  .object({
    id: undoId,
    status: undoStatus,
    dryRun: z.boolean(),
    source: undoSource,
    pausedAgentId: agentId
      .nullable()
      .meta({ description: 'The agent that was paused first; null: none' }),
    lastChange: z.int().nullable().meta({
      description:
        'The change number of the company at which it began: what the source writes later stays. Null: not begun',
    }),
    progress: z.object({ done: z.int(), total: z.int() }).meta({ description: 'In notes' }),
    outcomes: z.object(counts).meta({ description: 'The number of notes by outcome' }),
    withdrawnProposals: z.int().meta({
      description:
        'The number of open proposals of the source that were rejected; of a dry run, that would be',
    }),
    error: z
      .object({
        code: z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]),
        detail: z.string(),
      })
      .nullable(),
    createdBy: author,
    createdAt: timestamp,
    startedAt: timestamp.nullable(),
    finishedAt: timestamp.nullable(),
    notes: z.array(undoneNote).meta({ description: 'A page of the notes that are decided, by id' }),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'Undo', description: 'An undo of what a run, a key or an agent wrote' });
export type Undo = z.infer<typeof undo>;

export const undoNotesContract = routeContract({
  operationId: 'undoNotes',
  service: 'notes',
  method: 'post',
  path: '/api/notes/undo',
  tag: 'Notes',
  summary: 'Take back what a run, a key, a connection or an agent wrote',
  description: `Pauses the agent unless \`pause\` is false, cancels the background synchronisations of the source, and takes its changes
out of every note it wrote, the newest first, by three-way merge: what others wrote stays. Its open proposals are
rejected. Use \`dryRun\` first. The work
goes on in the background; \`GET /api/notes/undo/{undoId}\` has its progress and what became of each note. While an undo of
the same source goes on, the same request returns that one, unless it pauses an agent that was resumed since.
A change that is synchronised later and is based on a version
that was undone becomes a conflict copy.`,
  body: undoRequest,
  bodyBytesMax: 512 * 1024,
  responses: {
    202: {
      description: 'Stored; the undo begins',
      schema: z
        .object({ id: undoId, status: z.literal('queued') })
        .meta({ id: 'UndoReceipt', description: 'The undo is stored and begins' }),
      headers: { Location: { description: 'The path of the undo' } },
    },
  },
  errors: ['not_found', 'cross_company', 'busy', 'service_unavailable'],
  access: {
    kind: 'company',
    company: 'selected',
    agents: 'never',
    operators: 'operator',
  },
});

export const getUndoContract = routeContract({
  operationId: 'getUndo',
  service: 'notes',
  method: 'get',
  path: '/api/notes/undo/{undoId}',
  tag: 'Notes',
  summary: 'Read an undo',
  description:
    'Its progress, and a page of what became of the notes. A dry run is kept for 7 days at least, an undo for good.',
  params: z.object({ undoId }),
  query: z.object({
    ...pageQuery,
    outcome: undoOutcome.optional().meta({ description: 'Only notes with this outcome' }),
  }),
  responses: {
    200: {
      description: 'The undo',
      schema: undo,
      headers: {
        'Retry-After': {
          description: 'Seconds until the next poll, while it is not finished',
          isOptional: true,
        },
      },
    },
  },
  errors: ['not_found'],
  access: byOperators('operator', 'undoId'),
});
