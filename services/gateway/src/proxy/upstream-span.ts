import type { RouteContract } from '@commonplace/contracts';
import { startSpan, type Span } from '@commonplace/tracing';
import type { RequestContext } from '../http/request-context.ts';

/** Starts the span of the request to the service, which ends with the response to the client. */
export const startUpstreamSpan = (
  { res, span: parent, logFields }: RequestContext,
  { service, operationId }: RouteContract,
): Span | null => {
  if (parent === null) {
    return null;
  }
  const span = startSpan(`${service} ${operationId}`, { parent, kind: 'client' });
  if (span) {
    // Before the span of the request, which ends with the same event.
    res.prependOnceListener('close', () => {
      span.end(
        res.statusCode >= 500 ? { type: logFields.reason ?? String(res.statusCode) } : undefined,
      );
    });
  }
  return span;
};
