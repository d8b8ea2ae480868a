import type { Logger, OnResponse } from '@commonplace/http/core';
import { callerFields, isProbe } from '@commonplace/http/core';
import { traceIdOf } from '@commonplace/tracing';
import type { Clock } from '../deps.ts';
import type { RequestContext } from './request-context.ts';

export type AccessLogOptions = {
  readonly log: Logger;
  readonly clock: Clock;
  readonly onResponse?: OnResponse | undefined;
};

/** Health probes come every few seconds, so they are logged at level debug. */
const logLevelOf = (route: string | undefined): 'debug' | 'info' =>
  isProbe(route) ? 'debug' : 'info';

/**
 * Writes one line when the response ends or the client disconnects. It holds the declared path, because
 * requested ones hold ids, and neither the query nor any header, because they hold search terms and
 * credentials.
 */
export const logAccess = (context: RequestContext, options: AccessLogOptions): void => {
  const { log, clock, onResponse } = options;
  if (!onResponse && !log.isLevelEnabled('info')) {
    return;
  }
  const { req, res, requestId, startedAtMs, logFields } = context;
  res.once('close', () => {
    const traceId = traceIdOf(context.span);
    const durationMs = clock.monotonicMs() - startedAtMs;
    onResponse?.({
      route: logFields.route ?? 'unknown',
      status: res.statusCode,
      durationMs,
      isStream: logFields.isStream ?? false,
    });
    log[logLevelOf(logFields.route)](
      {
        requestId,
        method: req.method,
        route: logFields.route,
        status: res.statusCode,
        durationMs: Math.round(durationMs * 1000) / 1000,
        address: context.address,
        ...callerFields(logFields.caller),
        ...(logFields.reason === undefined ? {} : { reason: logFields.reason }),
        ...(traceId === undefined ? {} : { traceId }),
        ...(res.writableFinished ? {} : { isCut: true }),
      },
      'request',
    );
  });
};
