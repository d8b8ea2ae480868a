import { z } from 'zod';
import { timestamp } from '../common.ts';
import { sessionId } from '../ids.ts';

/** A living session of an operator. Its `id` is not the secret of the cookie and opens nothing. */
export const session = z
  .object({
    id: sessionId,
    createdAt: timestamp,
    lastSeenAt: timestamp.meta({ description: 'Kept to the minute' }),
    expiresAt: timestamp.meta({
      description: '60 minutes after it was last seen, at most 12 hours after its beginning',
    }),
    address: z.string().nullable().meta({ description: 'Where it was begun from' }),
    userAgent: z.string().nullable(),
    current: z.boolean().meta({ description: 'The session of this very request' }),
  })
  .meta({ id: 'Session', description: 'A living session of an operator' });
export type Session = z.input<typeof session>;
