/** How long a challenge holds. */
export const challengeSeconds = 5 * 60;

/** Codes that are checked with one challenge. */
export const challengeAttemptsMax = 5;

/** Open challenges of one operator and device, or network; a new one deletes the oldest of them, never those of others. */
export const challengesMax = 10;
