import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LoggedCaller } from '@commonplace/http/core';
import { requestIdHeader } from '@commonplace/identity';
import { addPendingHeaders } from './pending-headers.ts';
import { newRequestId } from './request-id.ts';

/** One request with its answer, and what is known of them. */
export type RequestContext = {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly requestId: string;
  /** The client's address; a proxy's word counts only where `TRUST_PROXY` says so. */
  readonly address: string;
  readonly startedAtMs: number;
  /** What the log line tells, filled in along the way. */
  readonly logFields: LogFields;
};

type LogFields = {
  /** The declared path: requested ones hold ids. */
  route?: string;
  caller?: LoggedCaller;
  /** Why the request was refused. */
  reason?: string;
};

/** Begins an context: every answer carries an id of our own making, and may not be sniffed. */
export const createRequestContext = (
  { req, res }: Pick<RequestContext, 'req' | 'res'>,
  known: Pick<RequestContext, 'address' | 'startedAtMs'> & { readonly isHttps: boolean },
): RequestContext => {
  const requestId = newRequestId();
  addPendingHeaders(
    res,
    requestIdHeader,
    requestId,
    'X-Content-Type-Options',
    'nosniff',
    'Referrer-Policy',
    'no-referrer',
  );
  if (known.isHttps) {
    addPendingHeaders(res, 'Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
  }
  if (req.headers.upgrade !== undefined) {
    // Nothing is upgraded. But Node drops what came in one packet with the offer: nothing may follow.
    res.setHeader('Connection', 'close');
  }
  const { address, startedAtMs } = known;
  return { req, res, requestId, address, startedAtMs, logFields: {} };
};
