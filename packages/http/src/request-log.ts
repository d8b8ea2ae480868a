import type { Caller } from '@commonplace/identity';
import type { RequestHandler, Response } from 'express';
import { callerFields } from './caller-fields.ts';
import type { Logger } from './create-log.ts';

const fieldsOf = (res: Response, startedAt: bigint): object => ({
  requestId: res.locals['requestId'] as unknown,
  method: res.req.method,
  // The declared path, not the requested one: paths hold ids, and queries hold what people search for.
  route: res.locals['route'] as unknown,
  status: res.statusCode,
  durationMs: Number(process.hrtime.bigint() - startedAt) / 1e6,
  ...callerFields(res.locals['caller'] as Caller | undefined),
  ...(res.locals['reason'] === undefined ? {} : { reason: res.locals['reason'] as unknown }),
});

/** Probes come every few seconds and say nothing new. */
const levelOf = (res: Response): 'debug' | 'info' =>
  ['/healthz', '/readyz'].includes(res.req.path) ? 'debug' : 'info';

/** One line per request when its answer is out: ids, route, status, duration, reason of a denial. */
export const requestLog =
  (log: Logger): RequestHandler =>
  (_req, res, next) => {
    if (log.isLevelEnabled('info')) {
      const startedAt = process.hrtime.bigint();
      res.once('finish', () => log[levelOf(res)](fieldsOf(res, startedAt), 'request'));
    }
    next();
  };
