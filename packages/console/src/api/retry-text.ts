import { ProblemError } from '@commonplace/client';

/** When to try again, in words; null when the failure is not about haste. */
export const retryText = (error: unknown): string | null => {
  if (!(error instanceof ProblemError) || error.status !== 429) {
    return null;
  }
  const seconds = error.retryAfterSeconds;
  if (seconds === null) {
    return 'Too many attempts. Try again in a while.';
  }
  return seconds < 90
    ? `Too many attempts. Try again in ${seconds} seconds.`
    : `Too many attempts. Try again in ${Math.ceil(seconds / 60)} minutes.`;
};
