import { AppError } from '@commonplace/contracts/core';

/** Later dates do not fit into the four-digit years of ISO 8601. */
const latestExpiry = new Date('9999-12-31T00:00:00.000Z');

/** Rejects an expiry in the past: such a credential would never work. */
export const futureDate = (text: string, now: Date): Date => {
  const date = new Date(text);
  if (date <= now || date > latestExpiry) {
    throw new AppError('validation_failed', 'The body is not valid.', {
      errors: [
        { path: '/expiresAt', message: 'must be in the future, at most 9999-12-31T00:00:00.000Z' },
      ],
    });
  }
  return date;
};
