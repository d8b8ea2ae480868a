import { z } from 'zod';
import { plainText, timestamp } from '../common.ts';
import { type ErrorCode, errorCodes } from '../error-codes.ts';
import { noteId, proposalId } from '../ids.ts';
import { noteData, noteOrSummary } from './note-data.ts';

/** The limit of changes in a request, in foreground and background. */
export const syncChangesMax = { foreground: 500, background: 10_000 } as const;

/** The limit of bytes in a request, in foreground and background. */
export const syncBytesMax = { foreground: 8 * 1024 * 1024, background: 32 * 1024 * 1024 } as const;

/**
 * The largest base revision a client may send. An unknown id starts at the revision after it, and
 * revisions are 32-bit integers with room to grow.
 */
export const baseRevisionMax = 2_000_000_000;

const envelope = {
  mutationId: plainText(1, 64).meta({ description: 'Unique per client; makes a retry safe' }),
  id: noteId,
  baseRevision: z
    .int()
    .min(0)
    .max(baseRevisionMax)
    .nullable()
    .default(null)
    .meta({ description: 'The revision that the client edited; null: a new note' }),
};

const put = z.strictObject({
  ...envelope,
  op: z.literal('put'),
  note: z.unknown().meta({
    description: 'The writable fields (`NoteInput`). An error in them rejects this change only.',
    // Validated per change, so that an invalid note does not reject the request.
    override: { allOf: [{ $ref: '#/components/schemas/NoteInput' }] },
  }),
});

const remove = z.strictObject({ ...envelope, op: z.literal('delete') });

/** One change of a client. */
export const syncChange = z
  .discriminatedUnion('op', [put, remove])
  .meta({ id: 'SyncChange', description: 'One change of a client' });
export type SyncChange = z.output<typeof syncChange>;

export const onConflict = z
  .enum(['merge', 'copy', 'reject'])
  .meta({ description: 'How to handle an edit of a note that has changed' });
export type OnConflict = z.infer<typeof onConflict>;

/** The request of one round trip. `{}` is a full pull from the start. */
export const syncRequest = z
  .strictObject({
    clientId: plainText(1, 64)
      .optional()
      .meta({ description: 'One per installation, stable; required with changes' }),
    cursor: z.string().nullable().default(null).meta({ description: 'From the last response' }),
    limit: z
      .int()
      .min(1)
      .max(1000)
      .default(500)
      .meta({ description: 'Maximum number of notes in a response' }),
    mode: z.enum(['foreground', 'background']).default('foreground'),
    pull: z.enum(['all', 'none']).default('all').meta({
      description:
        '`none`: push only. The cursor stays where it is, and `changes` has only deletions that no later pull would bring.',
    }),
    echo: z.boolean().default(true).meta({
      description:
        '`false`: notes in `changes` that are stored exactly as this client sent them come without `content`.',
    }),
    proposals: z.boolean().default(false).meta({
      description:
        'Whether the client knows the status `proposed`. Without it, changes that would become proposals are `rejected` with `proposals_only`.',
    }),
    onConflict: onConflict.default('merge'),
    changes: z.array(syncChange).max(syncChangesMax.background).default([]),
  })
  .refine((request) => request.changes.length === 0 || request.clientId !== undefined, {
    path: ['clientId'],
    message: 'is required with changes',
  })
  .meta({ id: 'SyncRequest', description: 'The pushed changes and the position of the pull' });
export type SyncRequest = z.output<typeof syncRequest>;
export type SyncRequestInput = z.input<typeof syncRequest>;

/** The outcome of a change. */
export const syncStatus = z.enum([
  'applied',
  'merged',
  'restored',
  'conflict',
  'unchanged',
  'rejected',
  'proposed',
]);
export type SyncStatus = z.infer<typeof syncStatus>;

export const syncChangeResult = z
  .object({
    mutationId: z.string(),
    id: noteId,
    status: syncStatus,
    revision: z
      .int()
      .nullable()
      .meta({ description: 'The revision of the note after this change' }),
    replayed: z
      .literal(true)
      .optional()
      .meta({ description: 'This mutation was processed before; this is its first result' }),
    note: noteData.optional().meta({
      description:
        'The note on the server, if it differs from the one sent. Beyond 4 MiB in a response it is in `changes`.',
    }),
    conflictNoteId: noteId
      .optional()
      .meta({ description: 'The conflict copy with the sent content' }),
    proposalId: proposalId.optional().meta({
      description: 'With the status `proposed`: the proposal, which changes nothing yet',
    }),
    error: z
      .object({
        code: z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]),
        detail: z.string(),
      })
      .optional(),
  })
  .meta({ id: 'SyncChangeResult', description: 'The result of a change' });
export type SyncChangeResult = z.infer<typeof syncChangeResult>;

/** Lets a client verify that it has every active note. */
export const syncIntegrity = z
  .object({
    count: z.int().meta({ description: 'Number of active notes of the company' }),
    digest: z.string().meta({
      description: `Sixteen lower-case hexadecimal digits: the sum, modulo 2^64, over all active notes, of the first
eight bytes (big-endian, unsigned) of SHA-256 over the ASCII text \`<id>:<revision>\`, with the id in lower case and the
revision in decimal. Without notes it is \`0000000000000000\`. In JavaScript:
\`sum = BigInt.asUintN(64, sum + new DataView(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(id + ':' + revision))).getBigUint64(0))\`,
then \`sum.toString(16).padStart(16, '0')\`.`,
    }),
  })
  .meta({ id: 'SyncIntegrity' });
export type SyncIntegrity = z.infer<typeof syncIntegrity>;

export const syncCounts = z.object({
  applied: z.int(),
  merged: z.int(),
  restored: z.int(),
  conflicts: z.int(),
  unchanged: z.int(),
  rejected: z.int(),
  proposed: z.int().optional().meta({ description: 'Absent: none' }),
  returned: z.int().meta({ description: 'Notes in `changes`' }),
});

/** The response of one round trip. */
export const syncResult = z
  .object({
    results: z.array(syncChangeResult).meta({ description: 'One per change, in the order sent' }),
    changes: z.array(noteOrSummary).meta({
      description:
        'Notes that changed since the cursor, in commit order, without those in `results`.',
    }),
    cursor: z.string().meta({ description: 'The position of the next pull; opaque' }),
    hasMore: z.boolean(),
    // Results of jobs that were stored before it existed have none.
    epoch: z.string().optional().meta({
      description:
        'Identifies the history of the company; a restored backup has another one. A client that sees a new one keeps what it has and sends it again.',
    }),
    integrity: syncIntegrity.optional().meta({ description: 'Present if `hasMore` is false' }),
    counts: syncCounts,
    serverTime: timestamp,
  })
  .meta({ id: 'SyncResult', description: 'The response of one round trip' });
export type SyncResult = z.infer<typeof syncResult>;

/** The input of a company's digest: one for each active note. */
type ActiveNote = { readonly id: string; readonly revision: number };

const hashOf = async ({ id, revision }: ActiveNote): Promise<bigint> => {
  const text = new TextEncoder().encode(`${id}:${revision}`);
  return new DataView(await crypto.subtle.digest('SHA-256', text)).getBigUint64(0);
};

/**
 * Computes `integrity.digest` from the ids and revisions of all active notes, as described in the
 * OpenAPI document. For clients; the service updates the sum with every write.
 */
export const syncDigest = async (notes: Iterable<ActiveNote>): Promise<string> => {
  let sum = 0n;
  for (const note of notes) {
    sum = BigInt.asUintN(64, sum + (await hashOf(note)));
  }
  return sum.toString(16).padStart(16, '0');
};
