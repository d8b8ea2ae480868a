import { z } from 'zod';
import { plainText } from '../common.ts';
import { noteId } from '../ids.ts';

/** Changes in one request: answered at once, or in the background. */
export const syncChangesMax = { foreground: 500, background: 10_000 } as const;

/** Bytes of one request: answered at once, or in the background. */
export const syncBytesMax = { foreground: 8 * 1024 * 1024, background: 32 * 1024 * 1024 } as const;

/**
 * The largest base a client may name. An unknown id starts at the revision after it, and revisions
 * are 32-bit integers that must have room to grow.
 */
const baseRevisionMax = 2_000_000_000;

const envelope = {
  mutationId: plainText(1, 64).meta({ description: 'Unique per client; makes a retry safe' }),
  id: noteId,
  baseRevision: z
    .int()
    .min(0)
    .max(baseRevisionMax)
    .nullable()
    .default(null)
    .meta({ description: 'The revision the client changed; null: it believes the note is new' }),
};

const put = z.strictObject({
  ...envelope,
  op: z.literal('put'),
  note: z.unknown().meta({
    description:
      'The writable fields (`NoteInput`). What is wrong in here rejects this change alone.',
    // Checked change by change, so that a bad note is no bad request.
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
  .meta({ description: 'What to do with a change of something that changed meanwhile' });
export type OnConflict = z.infer<typeof onConflict>;

/** What a client asks of one round trip. `{}` is a full pull from the start. */
export const syncRequest = z
  .strictObject({
    clientId: plainText(1, 64)
      .optional()
      .meta({ description: 'One per installation, stable; required with changes' }),
    cursor: z.string().nullable().default(null).meta({ description: 'From the last answer' }),
    limit: z.int().min(1).max(1000).default(500).meta({ description: 'Notes in one answer' }),
    mode: z.enum(['foreground', 'background']).default('foreground'),
    onConflict: onConflict.default('merge'),
    changes: z.array(syncChange).max(syncChangesMax.background).default([]),
  })
  .refine((request) => request.changes.length === 0 || request.clientId !== undefined, {
    path: ['clientId'],
    message: 'is required with changes',
  })
  .meta({ id: 'SyncRequest', description: 'What a client pushes, and from where it pulls' });
export type SyncRequest = z.output<typeof syncRequest>;
export type SyncRequestInput = z.input<typeof syncRequest>;
