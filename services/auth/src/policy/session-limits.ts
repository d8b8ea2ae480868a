/** A session ends after this time without a request. */
export const idleSeconds = 60 * 60;

/** A session ends this long after its start in any case. */
export const absoluteSeconds = 12 * 60 * 60;

/** The minimum interval between writes of `lastSeenAt`. */
export const touchEverySeconds = 60;

/** How long a sign-in is recent enough for dangerous changes. */
const recentSignInSeconds = 15 * 60;

/** Whether an operator proved who they are recently. */
export const isRecentSignIn = (authenticatedAt: Date | null, now: Date): boolean =>
  authenticatedAt !== null &&
  now.getTime() - authenticatedAt.getTime() < recentSignInSeconds * 1000;

/** Sessions per operator; a new one ends the oldest. */
export const sessionsMax = 10;

/** How long a browser is known after its last sign-in. */
export const knownDeviceDays = 180;

/** Known browsers of one operator; a new one replaces the one that was used longest ago. */
export const knownDevicesMax = 10;
