import { addAbortListener } from 'node:events';
import type { ServerResponse } from 'node:http';
import { AppError, isAppError } from '@commonplace/contracts';
import type { Caller } from '@commonplace/identity';
import type { UpstreamRequest } from './upstream-request.ts';

export type StreamMonitorOptions = {
  readonly res: ServerResponse;
  readonly upstream: UpstreamRequest;
  readonly caller: Caller | null;
  /** Judges the credential of the request once more, by nothing older than this. */
  readonly reauthorize: (maxAgeMs: number) => Promise<Caller | null>;
  /** Aborted when the gateway shuts down. */
  readonly draining: AbortSignal;
};

/**
 * A stream ends within a second of its credential: so often it is looked at, by an answer so old at most,
 * and the question takes its time too. The streams of one credential share their answers.
 */
const checkIntervalMs = 700;
const resultMaxAgeMs = 100;

/**
 * Ends a stream when the credential that opened it dies, when it speaks for somebody else (another
 * role, another company), or when the gateway shuts down.
 */
export const monitorStream = ({
  res,
  upstream,
  caller,
  reauthorize,
  draining,
}: StreamMonitorOptions): void => {
  const opened = principalFingerprint(caller);
  const look = async () => {
    try {
      if (principalFingerprint(await reauthorize(resultMaxAgeMs)) !== opened) {
        upstream.abort(retryError());
      }
    } catch (error) {
      // A service that is away for a moment ends no stream; it ends no credential either.
      if (isAppError(error) && (error.status === 401 || error.status === 403)) {
        upstream.abort(error);
      }
    }
  };
  const timer = setInterval(() => void look(), checkIntervalMs);
  // Also for a stream that begins while the gateway shuts down already.
  const drainListener = addAbortListener(draining, () => upstream.abort(retryError()));
  res.once('close', () => {
    clearInterval(timer);
    drainListener[Symbol.dispose]();
  });
};

/** What a caller is, without when its credential ends: that moves. */
const principalFingerprint = (caller: Caller | null): string =>
  JSON.stringify({ ...caller, expiresAt: null });

/** What a long poll hears that is ended before its answer; event streams just end. */
const retryError = (): AppError =>
  new AppError('service_unavailable', undefined, { headers: { 'Retry-After': '1' } });
