import { addAbortListener } from 'node:events';
import type { ServerResponse } from 'node:http';
import { AppError, isAppError } from '@commonplace/contracts';
import type { Caller } from '@commonplace/identity';
import type { UpstreamRequest } from './upstream-request.ts';

export type StreamMonitorOptions = {
  readonly res: ServerResponse;
  readonly upstream: UpstreamRequest;
  readonly caller: Caller | null;
  /** Authorizes the request again, by results no older than this. */
  readonly reauthorize: (maxAgeMs: number) => Promise<Caller | null>;
  /** Aborted when shutdown begins. */
  readonly draining: AbortSignal;
};

/**
 * A stream ends within a second of its credential: 700 ms until the next check, 100 ms for the age of the
 * result, the rest for the lookup. The streams of one credential share results.
 */
const checkIntervalMs = 700;
const resultMaxAgeMs = 100;
/** A stream whose credential cannot be checked for this long ends, unless a service is unavailable. */
const uncheckedMaxMs = 10_000;

/**
 * Ends a stream when its credential is revoked or expires, when its caller changes (another role, another
 * company), and when the gateway shuts down.
 */
export const monitorStream = ({
  res,
  upstream,
  caller,
  reauthorize,
  draining,
}: StreamMonitorOptions): void => {
  const initial = principalFingerprint(caller);
  let checkedAtMs = performance.now();
  const check = async () => {
    try {
      if (principalFingerprint(await reauthorize(resultMaxAgeMs)) !== initial) {
        upstream.abort(retryError());
      }
      checkedAtMs = performance.now();
    } catch (error) {
      if (isAppError(error) && (error.status === 401 || error.status === 403)) {
        upstream.abort(error);
      } else if (isAppError(error) && error.status === 503) {
        // An unavailable service ends no stream, because it revokes no credential.
        checkedAtMs = performance.now();
      } else if (performance.now() - checkedAtMs >= uncheckedMaxMs) {
        upstream.abort(retryError());
      }
    }
  };
  const timer = setInterval(() => void check(), checkIntervalMs);
  // Runs at once when the shutdown has begun already.
  const drainListener = addAbortListener(draining, () => upstream.abort(retryError()));
  res.once('close', () => {
    clearInterval(timer);
    drainListener[Symbol.dispose]();
  });
};

/** The caller as text, without its expiry, which changes. */
const principalFingerprint = (caller: Caller | null): string =>
  JSON.stringify({ ...caller, expiresAt: null });

/** The response to a long poll that is aborted. An event stream just ends. */
const retryError = (): AppError => new AppError('service_unavailable');
