import { z } from 'zod';
import { plainText } from '../common.ts';
import { noteId } from '../ids.ts';

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
