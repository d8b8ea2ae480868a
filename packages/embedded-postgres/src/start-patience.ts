/** PostgreSQL writes such a line every ten seconds while it recovers (`log_startup_progress_interval`). */
const progressLine = /^.*elapsed time: .*$/gm;

/** The newest of these lines in what the server said. */
export const newestProgress = (said: string): string | undefined =>
  said.match(progressLine)?.at(-1);

/**
 * Returns whether to wait on for a start: so long, and as long again for each look at which the server has made progress. A
 * recovery that takes longer must not be stopped, because the next one would begin where this one did; a server that hangs
 * must not block the start forever.
 */
export const startPatience = (
  msMax: number,
  progress: () => Promise<string | undefined>,
  clock = () => performance.now(),
): (() => Promise<boolean>) => {
  let until = clock() + msMax;
  let seen: string | undefined;
  return async () => {
    if (clock() < until) {
      return true;
    }
    const newest = await progress();
    const hasProgressed = newest !== undefined && newest !== seen;
    seen = newest;
    until = clock() + msMax;
    return hasProgressed;
  };
};
