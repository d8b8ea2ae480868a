import { addAbortListener } from 'node:events';
import type { ServerResponse } from 'node:http';
import { AppError, isAppError } from '@commonplace/contracts';
import type { Caller } from '@commonplace/identity';
import type { Flight } from './flight.ts';

export type StreamWatch = {
  readonly res: ServerResponse;
  readonly flight: Flight;
  readonly caller: Caller | null;
  /** Judges the credential of the request once more, by nothing older than this. */
  readonly judgeAgain: (maxAgeMs: number) => Promise<Caller | null>;
  /** Aborted when the gateway shuts down. */
  readonly draining: AbortSignal;
};

/**
 * A stream ends within a second of its credential: so often it is looked at, by an answer so old at most,
 * and the question takes its time too. The streams of one credential share their answers.
 */
const everyMs = 700;
const answerAgeMaxMs = 100;

/**
 * Ends a stream when the credential that opened it dies, when it speaks for somebody else (another
 * role, another company), or when the gateway shuts down.
 */
export const watchStream = ({ res, flight, caller, judgeAgain, draining }: StreamWatch): void => {
  const opened = essenceOf(caller);
  const look = async () => {
    try {
      if (essenceOf(await judgeAgain(answerAgeMaxMs)) !== opened) {
        flight.end(askAgain());
      }
    } catch (error) {
      // A service that is away for a moment ends no stream; it ends no credential either.
      if (isAppError(error) && (error.status === 401 || error.status === 403)) {
        flight.end(error);
      }
    }
  };
  const timer = setInterval(() => void look(), everyMs);
  // Also for a stream that begins while the gateway shuts down already.
  const drainListener = addAbortListener(draining, () => flight.end(askAgain()));
  res.once('close', () => {
    clearInterval(timer);
    drainListener[Symbol.dispose]();
  });
};

/** What a caller is, without when its credential ends: that moves. */
const essenceOf = (caller: Caller | null): string => JSON.stringify({ ...caller, expiresAt: null });

/** What a long poll hears that is ended before its answer; event streams just end. */
const askAgain = (): AppError =>
  new AppError('service_unavailable', undefined, { headers: { 'Retry-After': '1' } });
