type Change = {
  readonly error: Error | null;
  /** In milliseconds since 1970; 0: not begun. */
  readonly submittedAt: number;
};

/** Why the latest of several changes failed; null: it did not, or is under way. What failed before it is over. */
export const latestError = (...changes: readonly Change[]): Error | null =>
  changes.toSorted((one, other) => other.submittedAt - one.submittedAt)[0]?.error ?? null;
