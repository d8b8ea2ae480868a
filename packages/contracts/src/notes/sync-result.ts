import { z } from 'zod';
import { timestamp } from '../common.ts';
import { errorCodes, type ErrorCode } from '../error-codes.ts';
import { noteId, proposalId } from '../ids.ts';
import { noteData, noteOrSummary } from './note-data.ts';

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
