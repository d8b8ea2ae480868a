import type { IncomingMessage, ServerResponse } from 'node:http';
import { newId } from '@commonplace/contracts';
import { noSpan, SpanKind, startTrace, type Span } from '@commonplace/tracing';
import { isProbe, type LoggedCaller } from '@commonplace/http/core';
import { requestIdHeader } from '@commonplace/identity';
import { addPendingHeaders, securityHeaders } from './pending-headers.ts';

/** A request, its response, and what the stages know about them. */
export type RequestContext = {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly requestId: string;
  /** The client's address. `X-Forwarded-For` counts only from the proxies of `TRUST_PROXY`. */
  readonly address: string;
  readonly startedAtMs: number;
  readonly span: Span;
  /** Fields of the access log, filled in by the stages. */
  readonly logFields: LogFields;
};

type LogFields = {
  /** The declared path, because requested ones hold ids. */
  route?: string;
  /** An event stream or long poll. For the metrics only. */
  isStream?: boolean;
  caller?: LoggedCaller;
  /** The code of the error that the request was rejected with. */
  reason?: string;
};

/** Creates the context of a request and the headers of every response. The request id is a new UUIDv7. */
export const createRequestContext = (
  { req, res }: Pick<RequestContext, 'req' | 'res'>,
  known: Pick<RequestContext, 'address' | 'startedAtMs'> & { readonly isHttps: boolean },
): RequestContext => {
  const requestId = newId();
  addPendingHeaders(res, requestIdHeader, requestId, ...securityHeaders);
  if (known.isHttps) {
    addPendingHeaders(res, 'Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
  }
  if (req.headers.upgrade !== undefined) {
    // Upgrades are ignored, but Node drops the bytes that came in one packet with the offer.
    res.setHeader('Connection', 'close');
  }
  const { address, startedAtMs } = known;
  return { req, res, requestId, address, startedAtMs, span: startRequestSpan(req), logFields: {} };
};

/** Health checks come every few seconds, and nobody follows them. */
const startRequestSpan = ({ url, headers }: IncomingMessage): Span =>
  isProbe(url)
    ? noSpan
    : startTrace('request', {
        kind: SpanKind.SERVER,
        traceparent: headers['traceparent'],
        decides: 'sampler',
      });
