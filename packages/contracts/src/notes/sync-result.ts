import { z } from 'zod';
import { timestamp } from '../common.ts';
import { errorCodes, type ErrorCode } from '../error-codes.ts';
import { noteId } from '../ids.ts';
import { noteData, noteOrSummary } from './note-data.ts';

/** What became of one change. */
export const syncStatus = z.enum([
  'applied',
  'merged',
  'restored',
  'conflict',
  'unchanged',
  'rejected',
]);
export type SyncStatus = z.infer<typeof syncStatus>;

export const syncChangeResult = z
  .object({
    mutationId: z.string(),
    id: noteId,
    status: syncStatus,
    revision: z.int().nullable().meta({ description: 'Of the note after this change' }),
    replayed: z
      .literal(true)
      .optional()
      .meta({ description: 'This mutation was applied before; this is what became of it then' }),
    note: noteData.optional().meta({
      description:
        'The note as it is on the server, when that is not what was sent. Beyond 4 MiB in one answer it comes through `changes`.',
    }),
    conflictNoteId: noteId.optional().meta({ description: 'The note that keeps what was sent' }),
    error: z
      .object({
        code: z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]),
        detail: z.string(),
      })
      .optional(),
  })
  .meta({ id: 'SyncChangeResult', description: 'What became of one change' });
export type SyncChangeResult = z.infer<typeof syncChangeResult>;

/** Everything a client needs to prove that it has every living note. */
export const syncIntegrity = z
  .object({
    count: z.int().meta({ description: 'Living notes of the company' }),
    digest: z.string().meta({
      description: `Sixteen lower-case hexadecimal digits: the sum, modulo 2^64, over all living notes, of the first
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
  returned: z.int().meta({ description: 'Notes in `changes`' }),
});

/** The answer to one round trip. */
export const syncResult = z
  .object({
    results: z
      .array(syncChangeResult)
      .meta({ description: 'One for each change, in the order they were sent' }),
    changes: z.array(noteOrSummary).meta({
      description:
        'Notes that changed since the cursor, in commit order. What `results` reports already is not repeated.',
    }),
    cursor: z.string().meta({ description: 'Where the next pull begins; opaque' }),
    hasMore: z.boolean(),
    integrity: syncIntegrity.optional().meta({ description: 'Present when `hasMore` is false' }),
    counts: syncCounts,
    serverTime: timestamp,
  })
  .meta({ id: 'SyncResult', description: 'The answer to one round trip' });
export type SyncResult = z.infer<typeof syncResult>;
