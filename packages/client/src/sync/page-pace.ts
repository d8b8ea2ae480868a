/** How many notes one request receives. */
export type PagePace = {
  readonly limit: () => number;
  /** After a request that took too long: whether the next one, which receives less, may get through. */
  readonly slowDown: (error: unknown) => boolean;
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
 * pages that it did. If a single note takes too long, too, then pages are as large as before: size is not the cause.
 */
export const createPagePace = (): PagePace => {
  let limit = limitMax;
  let fullInTime = 0;
  return {
    limit: () => limit,
    slowDown: (error) => {
      if ((error as Partial<Error> | null)?.name !== 'TimeoutError') {
        return false;
      }
      fullInTime = 0;
      const maySucceed = limit > 1;
      limit = maySucceed ? Math.max(1, Math.floor(limit / reduction)) : limitMax;
      return maySucceed;
    },
    speedUp: ({ isFull }) => {
      fullInTime += isFull ? 1 : 0;
      if (fullInTime === fullMin) {
        limit = Math.min(limitMax, limit * 2);
        fullInTime = 0;
      }
    },
  };
};
