import type { WrittenNote } from '@commonplace/contracts/notes';
import { z } from 'zod';
import { structured } from '../tool-result.ts';

/** What a write returns. */
export const writtenOutput = z.object({
  id: z.string(),
  revision: z.int(),
  updatedAt: z.string(),
});

/** The result of a write: not the text, which the model has. */
export const writtenResult = ({ id, revision, updatedAt }: WrittenNote, more: object = {}) =>
  structured({ id, revision, updatedAt, ...more });

/** Request headers of a write: a short response, and the revision it expects. */
export const writeHeaders = (revision?: number): Readonly<Record<string, string>> => ({
  prefer: 'return=minimal',
  ...(revision === undefined ? {} : { 'if-match': `"${revision}"` }),
});
