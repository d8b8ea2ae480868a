import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LoggedCaller } from '@commonplace/http/core';
import { requestIdHeader } from '@commonplace/identity';
import { addOwnHeaders } from './own-headers.ts';
import { newRequestId } from './request-id.ts';

/** One request with its answer, and what is known of them. */
export type Exchange = {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly requestId: string;
  /** The client's address; a proxy's word counts only where `TRUST_PROXY` says so. */
  readonly address: string;
  readonly startedAtMs: number;
  /** What the log line tells, filled in along the way. */
  readonly facts: Facts;
};

type Facts = {
  /** The declared path: requested ones hold ids. */
  route?: string;
  caller?: LoggedCaller;
  /** Why the request was refused. */
  reason?: string;
};

/** Begins an exchange: every answer carries an id of our own making, and may not be sniffed. */
export const beginExchange = (
  { req, res }: Pick<Exchange, 'req' | 'res'>,
  known: Pick<Exchange, 'address' | 'startedAtMs'> & { readonly isHttps: boolean },
): Exchange => {
  const requestId = newRequestId();
  addOwnHeaders(
    res,
    requestIdHeader,
    requestId,
    'X-Content-Type-Options',
    'nosniff',
    'Referrer-Policy',
    'no-referrer',
  );
  if (known.isHttps) {
    addOwnHeaders(res, 'Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
  }
  if (req.headers.upgrade !== undefined) {
    // Nothing is upgraded. But Node drops what came in one packet with the offer: nothing may follow.
    res.setHeader('Connection', 'close');
  }
  const { address, startedAtMs } = known;
  return { req, res, requestId, address, startedAtMs, facts: {} };
};
