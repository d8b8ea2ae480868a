import type { Caller } from '@commonplace/identity';
import type { RequestHandler, Response } from 'express';
import { callerFields } from './caller-fields.ts';
import { requestLines, type Logger } from './create-log.ts';
import { isProbe } from './is-probe.ts';
import type { OnResponse } from './on-response.ts';

const fieldsOf = (res: Response, durationMs: number): object => ({
  requestId: res.locals['requestId'] as unknown,
  method: res.req.method,
  // The declared path, not the requested one: paths hold ids, and queries hold search terms.
  route: res.locals['route'] as unknown,
  status: statusOf(res),
  durationMs,
  ...callerFields(res.locals['caller'] as Caller | undefined),
  ...(res.locals['reason'] === undefined ? {} : { reason: res.locals['reason'] as unknown }),
  ...(res.locals['tool'] === undefined ? {} : { via: 'mcp', tool: res.locals['tool'] as unknown }),
  ...(res.locals['traceId'] === undefined ? {} : { traceId: res.locals['traceId'] as unknown }),
  ...(res.writableFinished ? {} : { isCut: true }),
});

/** The status of the outcome. A response that failed after its headers were sent has status 200. */
const statusOf = (res: Response): number =>
  (res.locals['failedWith'] as number | undefined) ?? res.statusCode;

/** Health checks come every few seconds. */
const levelOf = (res: Response): 'debug' | 'info' => (isProbe(res.req.path) ? 'debug' : 'info');

/**
 * Logs one line per request when its response is sent or the client disconnects: ids, route, status, duration and
 * the reason of a denial. Calls `onResponse` for the metrics.
 */
export const requestLog = (given: Logger, onResponse?: OnResponse): RequestHandler => {
  const log = requestLines(given);
  return (_req, res, next) => {
    if (onResponse || log.isLevelEnabled('info')) {
      const startedAtMs = performance.now();
      res.once('close', () => {
        const durationMs = Math.round((performance.now() - startedAtMs) * 1000) / 1000;
        const route = (res.locals['route'] as string | undefined) ?? 'unknown';
        const isStream = res.locals['isStream'] === true;
        onResponse?.({ route, status: statusOf(res), durationMs, isStream });
        if (log.isLevelEnabled('info')) {
          log[levelOf(res)](fieldsOf(res, durationMs), 'request');
        }
      });
    }
    next();
  };
};
