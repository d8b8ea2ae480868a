import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';
import type { ServiceName } from '@commonplace/contracts';
import {
  clientAddressHeader,
  companyHeader,
  identityHeader,
  requestIdHeader,
} from '@commonplace/identity';
import { pendingHeadersOf } from '../http/pending-headers.ts';

/** Seconds an idle connection of a client is kept. */
export const keepAliveSeconds = 65;

/** What a service says that is not for clients, or that the gateway says itself or in its own way. */
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
 * The headers of a service's answer as the client gets them, names and values in turn. Only auth sets
 * cookies. Whether the client's connection stays open is between it and us, not for a service to say.
 */
export const buildResponseHeaders = (
  answer: IncomingMessage,
  res: ServerResponse,
  service: ServiceName,
): OutgoingHttpHeader[] => {
  const headers: OutgoingHttpHeader[] = [...pendingHeadersOf(res)];
  for (const name of Object.keys(answer.headers)) {
    if (!droppedHeaders.has(name) && (name !== 'set-cookie' || service === 'auth')) {
      headers.push(name, answer.headers[name] ?? '');
    }
  }
  const { vary, 'transfer-encoding': coding } = answer.headers;
  const isOld = res.req.httpVersion === '1.0';
  if (coding !== undefined && !isOld && !bodiless.has(answer.statusCode)) {
    headers.push('transfer-encoding', coding);
  }
  if (vary !== undefined) {
    headers.push(
      'vary',
      res.hasHeader('Vary') ? `${vary}, ${String(res.getHeader('Vary'))}` : vary,
    );
  }
  if (res.shouldKeepAlive && !isOld && res.getHeader('Connection') !== 'close') {
    headers.push('connection', 'keep-alive', 'keep-alive', `timeout=${keepAliveSeconds}`);
  } else {
    headers.push('connection', 'close');
  }
  return headers;
};

/** RFC 9112 section 6.1: these have no body to be coded; nor do clients of HTTP/1.0 know of codings. */
const bodiless: ReadonlySet<number | undefined> = new Set([204, 304]);
