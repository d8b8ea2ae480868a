import { z } from 'zod';
import { noteId } from '../ids.ts';

/** The path parameter of every route about one note. */
export const noteParams = z.object({ id: noteId });

/** Headers of every answer that holds one note. */
export const noteHeaders = {
  ETag: { description: 'The revision in double quotes, for If-Match and If-None-Match' },
  'Cache-Control': {
    description: 'Only the caller may keep it, and must revalidate it',
    value: 'private, no-cache',
  },
  Vary: { description: '`Authorization, Cookie, X-Company-Id`; `Origin` too where CORS is on' },
} as const;

export const ifMatchHeader = {
  'If-Match':
    'Change the note only at this revision (`"3"`; `W/"3"` and lists are accepted); `*`: only if it exists.',
} as const;
