import { callerFields } from '@commonplace/http/core';
import type { Span } from '@commonplace/tracing';
import type { RequestContext } from './request-context.ts';

/** Ends the span of a request with its response. It has what the access log has: declared paths and ids. */
export const endWithResponse = (span: Span, context: RequestContext): void => {
  const { req, res, requestId, logFields } = context;
  res.once('close', () => {
    const { route, reason, caller } = logFields;
    const ids = callerFields(caller) as Readonly<Record<string, string | null | undefined>>;
    span.rename(`${req.method} ${route ?? 'unknown'}`);
    span.annotate({
      'http.request.method': req.method ?? '',
      'http.response.status_code': res.statusCode,
      'commonplace.request_id': requestId,
      ...(route === undefined ? {} : { 'http.route': route }),
      ...(typeof ids['companyId'] === 'string'
        ? { 'commonplace.company_id': ids['companyId'] }
        : {}),
      ...(reason === undefined ? {} : { 'error.type': reason }),
    });
    span.end(res.statusCode >= 500 ? { type: reason ?? String(res.statusCode) } : undefined);
  });
};
