import { z } from 'zod';
import { noteId } from '../ids.ts';

/** The path parameter of every route about one note. */
export const noteParams = z.object({ id: noteId });

/** Headers of every answer that holds one note. */
export const noteHeaders = {
  ETag: 'The revision in double quotes, for If-Match and If-None-Match',
  'Cache-Control': 'private, no-cache',
  Vary: 'Authorization, Cookie, X-Company-Id',
} as const;

export const ifMatchHeader = {
  'If-Match':
    'Change the note only at this revision (`"3"`; `W/"3"` and lists are accepted); `*`: only if it exists.',
} as const;
