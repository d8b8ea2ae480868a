/** A session ends when nothing was heard of it for so long. */
export const idleSeconds = 60 * 60;

/** A session ends so long after its beginning, whatever happens. */
export const absoluteSeconds = 12 * 60 * 60;

/** `lastSeenAt` is written no more often, so that reading costs no writes. */
export const touchEverySeconds = 60;

/** An operator's sessions; beginning another ends the oldest. */
export const sessionsMax = 10;
