import { endAfter, isTracing, startSpan, withSpan, type Span } from '@commonplace/tracing';

type Traced = { readonly span: Span | null; readonly changes: number };

/** Links of a span; the requests beyond them have their link to the batch only. */
const linksMax = 100;

/**
 * Runs a batch in a span of its own. Its parent is the first of its requests that are traced; all of them are linked to
 * it, and it to them. A batch without such a request has no span, and none of the request that began the queue.
 */
export const inBatchSpan = <Result>(
  jobs: readonly Traced[],
  run: () => Promise<Result>,
): Promise<Result> => {
  if (!isTracing()) {
    return run();
  }
  const links = jobs.flatMap(({ span }) => span ?? []);
  const [parent] = links;
  const span = parent
    ? startSpan('write batch', {
        parent,
        links: links.slice(0, linksMax),
        attributes: {
          'commonplace.requests': jobs.length,
          'commonplace.changes': jobs.reduce((sum, { changes }) => sum + changes, 0),
        },
      })
    : null;
  if (span === null) {
    return withSpan(null, run);
  }
  links.forEach((request) => request.link(span));
  return endAfter(span, run);
};
