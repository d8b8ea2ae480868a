import { callerFields } from '@commonplace/http/core';
import { endFailed } from '@commonplace/tracing';
import type { RequestContext } from './request-context.ts';

/** Ends the span of a request with its response. It has what the access log has: declared paths and ids. */
export const endWithResponse = (context: RequestContext): void => {
  const { req, res, requestId, span, logFields } = context;
  if (!span.isRecording()) {
    return;
  }
  res.once('close', () => {
    const { route, reason, caller } = logFields;
    const ids = callerFields(caller) as Readonly<Record<string, string | null | undefined>>;
    span.updateName(`${req.method} ${route ?? 'unknown'}`);
    span.setAttributes({
      'http.request.method': req.method ?? '',
      'http.response.status_code': res.statusCode,
      'commonplace.request_id': requestId,
      ...(route === undefined ? {} : { 'http.route': route }),
      ...(typeof ids['companyId'] === 'string'
        ? { 'commonplace.company_id': ids['companyId'] }
        : {}),
      ...(reason === undefined ? {} : { 'error.type': reason }),
    });
    if (res.statusCode >= 500) {
      endFailed(span, reason ?? String(res.statusCode));
    } else {
      span.end();
    }
  });
};
