import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';
import type { ServiceName } from '@commonplace/contracts';
import {
  clientAddressHeader,
  companyHeader,
  identityHeader,
  requestIdHeader,
} from '@commonplace/identity';
import { pendingHeadersOf } from '../http/pending-headers.ts';
import { keepAliveSeconds } from '../http/server-options.ts';

/** Headers of a service that are not for clients, or that the gateway sets itself. */
const droppedHeaders: ReadonlySet<string> = new Set([
  'x-powered-by',
  'server',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'trailer',
  'vary',
  'ratelimit',
  'ratelimit-policy',
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'x-content-type-options',
  'referrer-policy',
  'strict-transport-security',
  clientAddressHeader,
  companyHeader,
  identityHeader,
  requestIdHeader,
]);

/**
 * Builds the headers of a proxied response: names and values, alternating. Only the auth service may set cookies.
 * The gateway decides whether the client's connection stays open, not the service.
 */
export const buildResponseHeaders = (
  upstreamResponse: IncomingMessage,
  res: ServerResponse,
  service: ServiceName,
): OutgoingHttpHeader[] => {
  const headers: OutgoingHttpHeader[] = [...pendingHeadersOf(res)];
  const given = upstreamResponse.headers;
  for (const name of Object.keys(given)) {
    if (!droppedHeaders.has(name) && (name !== 'set-cookie' || service === 'auth')) {
      headers.push(name, given[name] ?? '');
    }
  }
  const { vary, 'transfer-encoding': coding } = given;
  const isHttp10 = res.req.httpVersion === '1.0';
  if (coding !== undefined && !isHttp10 && !bodilessStatuses.has(upstreamResponse.statusCode)) {
    headers.push('transfer-encoding', coding);
  }
  if (vary !== undefined) {
    headers.push(
      'vary',
      res.hasHeader('Vary') ? `${vary}, ${String(res.getHeader('Vary'))}` : vary,
    );
  }
  if (res.shouldKeepAlive && !isHttp10 && res.getHeader('Connection') !== 'close') {
    headers.push('connection', 'keep-alive', 'keep-alive', `timeout=${keepAliveSeconds}`);
  } else {
    headers.push('connection', 'close');
  }
  return headers;
};

/** RFC 9112 section 6.1: these have no body to encode. A client of HTTP/1.0 knows no transfer codings either. */
const bodilessStatuses: ReadonlySet<number | undefined> = new Set([204, 304]);
