/** A session ends after this time without a request. */
export const idleSeconds = 60 * 60;

/** A session ends this long after its start in any case. */
export const absoluteSeconds = 12 * 60 * 60;

/** The minimum interval between writes of `lastSeenAt`. */
export const touchEverySeconds = 60;

/** Sessions per operator; a new one ends the oldest. */
export const sessionsMax = 10;
