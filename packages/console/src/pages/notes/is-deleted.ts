import { ProblemError } from '@commonplace/client';

/** The note was there, and somebody deleted it. */
export const isDeleted = (error: unknown): boolean =>
  error instanceof ProblemError && error.code === 'note_deleted';
