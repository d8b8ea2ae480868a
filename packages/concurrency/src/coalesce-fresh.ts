import { createShortLivedMap } from './short-lived-map.ts';

/** Fetches the result of a request with a key. */
type Fetch<Request extends { readonly key: string }, Result> = (
  request: Request,
) => Promise<Result>;

/**
 * Coalesces concurrent requests of a key. Each caller gets a result that was fetched after its call. Two fetches
 * serve any number of callers: while one runs, which started before them, all later callers share the next.
 */
export const coalesceFresh = <Request extends { readonly key: string }, Result>(
  fetch: Fetch<Request, Result>,
): Fetch<Request, Result> => {
  const running = createShortLivedMap<string, Promise<Result>>();
  const upcoming = createShortLivedMap<string, Promise<Result>>();

  const fetchFresh: Fetch<Request, Result> = (request) => {
    const { key } = request;
    const current = running.get(key);
    if (!current) {
      const result = fetch(request).finally(() => running.delete(key));
      running.set(key, result);
      return result;
    }
    const start = () => {
      upcoming.delete(key);
      return fetchFresh(request);
    };
    const next = upcoming.get(key) ?? current.then(start, start);
    upcoming.set(key, next);
    return next;
  };
  return fetchFresh;
};
