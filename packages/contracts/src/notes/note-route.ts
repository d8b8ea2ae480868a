import { z } from 'zod';
import { noteId } from '../ids.ts';

/** The path parameter of the routes of a note. */
export const noteParams = z.object({ id: noteId });

/** Headers of every response with one note. */
export const noteHeaders = {
  ETag: { description: 'The revision in double quotes, for If-Match and If-None-Match' },
  'Cache-Control': {
    description: 'Private to the caller, who must revalidate it',
    value: 'private, no-cache',
  },
  Vary: { description: '`Authorization, Cookie, X-Company-Id`; also `Origin` if CORS is enabled' },
} as const;

export const ifMatchHeader = {
  'If-Match':
    'Change the note only at this revision (`"3"`; `W/"3"` and lists are accepted); `*`: only if it exists.',
} as const;

export const idempotencyKeyHeader = {
  'Idempotency-Key':
    '1 to 255 characters, unique per caller: makes a retry safe for at least 24 hours.',
} as const;
