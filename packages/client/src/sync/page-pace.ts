/** What one request receives and sends. */
type Page = {
  /** How many notes it receives. */
  readonly limit: number;
  /** It only shows whether the server responds at all: it has one attempt, and sends nothing. */
  readonly isProbe: boolean;
};

/** How many notes one request receives. */
export type PagePace = {
  readonly next: () => Page;
  /**
   * After a request that failed: whether another one may get through. `sendsLess`: that one sends less, and need not
   * receive less.
   */
  readonly slowDown: (error: unknown, given: { readonly sendsLess: boolean }) => boolean;
  /** After a request that got through: the next ones receive more again, after some that were full. */
  readonly speedUp: (page: { readonly isFull: boolean }) => void;
};

/** A page has also at most 4 MiB of content, which is more than a slow connection brings within an attempt. */
const limitMax = 500;
/** Each page that is too large costs the time of all its attempts, so that few sizes are tried. */
const reduction = 8;
/** So many full pages get through before larger ones are tried. */
const fullMin = 10;

/**
 * Receives less after a request that a slow connection did not bring through in its time, and twice as much after ten full
 * pages that it did. Between comes a probe, the smallest request: a server that does not respond to it within one attempt
 * is not slow but unavailable, which is said at once, and pages are as large as before.
 */
export const createPagePace = (): PagePace => {
  let limit = limitMax;
  let fullInTime = 0;
  let isProbe = false;
  return {
    next: () => ({ limit: isProbe ? 1 : limit, isProbe }),
    slowDown: (error, { sendsLess }) => {
      const isSlow = sendsLess || (error as Partial<Error> | null)?.name === 'TimeoutError';
      const maySucceed = isSlow && !isProbe && (sendsLess || limit > 1);
      isProbe = maySucceed;
      if (isSlow && !sendsLess) {
        limit = maySucceed ? Math.max(1, Math.floor(limit / reduction)) : limitMax;
        fullInTime = 0;
      }
      return maySucceed;
    },
    speedUp: ({ isFull }) => {
      fullInTime += isFull && !isProbe ? 1 : 0;
      isProbe = false;
      if (fullInTime === fullMin) {
        limit = Math.min(limitMax, limit * 2);
        fullInTime = 0;
      }
    },
  };
};
