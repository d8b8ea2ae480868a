import type { Logger, OnAnswered } from '@commonplace/http/core';
import { callerFields, isProbe } from '@commonplace/http/core';
import type { Clock } from './deps.ts';
import type { Exchange } from './exchange.ts';

export type LogOptions = {
  readonly log: Logger;
  readonly clock: Clock;
  readonly onAnswered?: OnAnswered | undefined;
};

/** Probes come every few seconds and say nothing new; everything else is worth its line. */
const levelOf = (route: string | undefined): 'debug' | 'info' =>
  isProbe(route) ? 'debug' : 'info';

/**
 * Writes one line when the answer is out or the client gone. It holds the declared path, because
 * requested ones hold ids; and no query, because people search for things; and no header.
 */
export const logExchange = (exchange: Exchange, options: LogOptions): void => {
  const { log, clock, onAnswered } = options;
  if (!onAnswered && !log.isLevelEnabled('info')) {
    return;
  }
  const { req, res, requestId, startedAtMs, facts } = exchange;
  res.once('close', () => {
    const durationMs = clock.monotonicMs() - startedAtMs;
    onAnswered?.({ route: facts.route ?? 'unknown', status: res.statusCode, durationMs });
    log[levelOf(facts.route)](
      {
        requestId,
        method: req.method,
        route: facts.route,
        status: res.statusCode,
        durationMs: Math.round(durationMs * 1000) / 1000,
        address: exchange.address,
        ...callerFields(facts.caller),
        ...(facts.reason === undefined ? {} : { reason: facts.reason }),
        ...(res.writableFinished ? {} : { isCut: true }),
      },
      'request',
    );
  });
};
