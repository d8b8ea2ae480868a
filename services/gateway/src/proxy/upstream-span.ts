import type { RouteContract } from '@commonplace/contracts';
import { endFailed, SpanKind, startSpan, type Span } from '@commonplace/tracing';
import type { RequestContext } from '../http/request-context.ts';

/** Starts the span of the request to the service, which ends with the response to the client. */
export const startUpstreamSpan = (
  { res, span: parent, logFields }: RequestContext,
  { service, operationId }: RouteContract,
): Span => {
  const span = startSpan(`${service} ${operationId}`, { kind: SpanKind.CLIENT }, parent);
  if (span.isRecording()) {
    // Before the span of the request, which ends with the same event.
    res.prependOnceListener('close', () => {
      if (res.statusCode >= 500) {
        endFailed(span, logFields.reason ?? String(res.statusCode));
      } else {
        span.end();
      }
    });
  }
  return span;
};
