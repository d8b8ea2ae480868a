import type { RouteContract } from '@commonplace/contracts/core';
import { endFailed, SpanKind, startTrace, traceIdOf, type Span } from '@commonplace/tracing';
import type { Request, Response } from 'express';

type Handled = { readonly req: Request; readonly res: Response; readonly requestId: string };

/**
 * Starts the span of a request, which is recorded if the gateway records its trace. It names the declared path, because
 * requested ones hold ids and queries hold search terms.
 */
export const startHandlerSpan = (
  { method, path }: RouteContract,
  { req, res, requestId }: Handled,
): Span => {
  const span = startTrace(`${method.toUpperCase()} ${path}`, {
    kind: SpanKind.SERVER,
    traceparent: req.headers['traceparent'],
    decides: 'caller',
  });
  if (span.isRecording()) {
    res.locals['traceId'] = traceIdOf(span);
    span.setAttributes({
      'http.request.method': req.method,
      'http.route': path,
      'commonplace.request_id': requestId,
    });
    res.once('close', () => endHandlerSpan(span, res));
  }
  return span;
};

const endHandlerSpan = (span: Span, res: Response): void => {
  const failedWith = res.locals['failedWith'] as number | undefined;
  const status = failedWith ?? res.statusCode;
  const reason = res.locals['reason'] as string | undefined;
  span.setAttributes({
    'http.response.status_code': status,
    ...(reason === undefined ? {} : { 'error.type': reason }),
  });
  if (status >= 500) {
    endFailed(span, reason ?? String(status));
  } else {
    span.end();
  }
};
