import { z } from 'zod';
import { timestamp } from '../common.ts';
import { sessionId } from '../ids.ts';
import { sessionMethod } from './sign-in.ts';

/** An active session of an operator. Its `id` is not the secret in the cookie. */
export const session = z
  .object({
    id: sessionId,
    createdAt: timestamp,
    lastSeenAt: timestamp.meta({ description: 'With a precision of one minute' }),
    expiresAt: timestamp.meta({
      description: '60 minutes after its last use, at most 12 hours after its start',
    }),
    signInMethod: sessionMethod.meta({ description: 'How the operator signed in' }),
    address: z.string().nullable().meta({ description: 'The address of the sign-in' }),
    userAgent: z.string().nullable(),
    current: z.boolean().meta({ description: 'Whether it is the session of this request' }),
  })
  .meta({ id: 'Session', description: 'An active session of an operator' });
export type Session = z.input<typeof session>;
