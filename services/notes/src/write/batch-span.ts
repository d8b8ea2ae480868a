import { endAfter, noSpan, startSpan, withoutSpan, type Span } from '@commonplace/tracing';

type Traced = { readonly span: Span; readonly changes: number };

/** Links of a span; the requests beyond them have their link to the batch only. */
const linksMax = 100;

/**
 * Runs a batch in a span of its own. Its parent is the first of its requests that are traced; all of them are linked to
 * it, and it to them. A batch without such a request has no span, and none of the request that began the queue.
 */
export const inBatchSpan = <Result>(
  writes: readonly Traced[],
  run: () => Promise<Result>,
): Promise<Result> => {
  const requests = writes.map(({ span }) => span).filter((span) => span.isRecording());
  const batch = startSpan(
    'write batch',
    {
      links: requests.slice(0, linksMax).map((span) => ({ context: span.spanContext() })),
      attributes: {
        'commonplace.requests': writes.length,
        'commonplace.changes': writes.reduce((sum, { changes }) => sum + changes, 0),
      },
    },
    requests[0] ?? noSpan,
  );
  if (batch.isRecording()) {
    requests.forEach((request) => request.addLink({ context: batch.spanContext() }));
  }
  return withoutSpan(() => endAfter(batch, run));
};
