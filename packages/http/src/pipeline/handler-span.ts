import type { RouteContract } from '@commonplace/contracts/core';
import { continueTrace, type Span } from '@commonplace/tracing';
import type { Request, Response } from 'express';

type Handled = { readonly req: Request; readonly res: Response; readonly requestId: string };

/**
 * Starts the span of a request that the gateway traces; null for any other. It names the declared path, because
 * requested ones hold ids and queries hold search terms.
 */
export const startHandlerSpan = (
  { method, path }: RouteContract,
  { req, res, requestId }: Handled,
): Span | null => {
  const span = continueTrace(`${method.toUpperCase()} ${path}`, req.headers['traceparent']);
  if (span) {
    res.locals['traceId'] = span.traceId;
    span.annotate({
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
  span.annotate({
    'http.response.status_code': status,
    ...(reason === undefined ? {} : { 'error.type': reason }),
  });
  span.end(status >= 500 ? { type: reason ?? String(status) } : undefined);
};
