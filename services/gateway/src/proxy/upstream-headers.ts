import type { IncomingHttpHeaders } from 'node:http';
import {
  clientAddressHeader,
  companyHeader,
  identityHeader,
  requestIdHeader,
} from '@commonplace/identity';

/** What goes on beside the allowed headers of the client. */
export type TrustedHeaders = {
  readonly requestId: string;
  readonly address: string;
  /** Null on public routes. */
  readonly identity: string | null;
  /** The company the identity claims, if it claims one. */
  readonly companyId: string | null;
  /** Our own session cookie, for the routes that keep sessions. */
  readonly cookie: string | null;
  /** How long the body is where it is held already; null: as the client said. */
  readonly bodyBytes: number | null;
};

/** Headers of the client that a service may see. */
const forwardedHeaders = [
  'accept',
  'accept-language',
  'content-encoding',
  'content-type',
  'if-match',
  'if-none-match',
  'last-event-id',
  'prefer',
  'user-agent',
] as const;

/** How the body is delimited; never dropped, or the service would read another body than we did. */
const framing = ['content-length', 'transfer-encoding'] as const;

const wellFormedTraceparent =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/**
 * Writes the headers a service gets from nothing: the client's by an allow-list, then ours. They
 * replace `req.headers` before the proxy reads them. Its own hook for headers does not run with
 * `Expect: 100-continue`, and a client's `X-Company-Id` then reached the service (seen in a probe).
 */
export const buildUpstreamHeaders = (
  given: IncomingHttpHeaders,
  trusted: TrustedHeaders,
): IncomingHttpHeaders => {
  const rebuilt: IncomingHttpHeaders = {};
  const isHopByHop = namedByConnection(given.connection);
  for (const name of forwardedHeaders) {
    const value = given[name];
    if (value !== undefined && !isHopByHop(name)) {
      rebuilt[name] = value as string;
    }
  }
  if (trusted.bodyBytes !== null) {
    rebuilt['content-length'] = String(trusted.bodyBytes);
  } else {
    for (const name of framing) {
      const value = given[name];
      if (value !== undefined) {
        rebuilt[name] = value;
      }
    }
  }
  const { traceparent } = given;
  if (typeof traceparent === 'string' && wellFormedTraceparent.test(traceparent)) {
    rebuilt['traceparent'] = traceparent;
  }
  rebuilt[requestIdHeader] = trusted.requestId;
  rebuilt[clientAddressHeader] = trusted.address;
  if (trusted.identity !== null) {
    rebuilt[identityHeader] = trusted.identity;
  }
  if (trusted.companyId !== null) {
    rebuilt[companyHeader] = trusted.companyId;
  }
  if (trusted.cookie !== null) {
    rebuilt.cookie = trusted.cookie;
  }
  return rebuilt;
};

/** `Connection` names headers that are meant for us alone. */
const namedByConnection = (connection: string | undefined): ((name: string) => boolean) => {
  if (connection === undefined || /^(?:keep-alive|close)$/i.test(connection)) {
    return () => false;
  }
  const names = new Set(connection.split(',').map((name) => name.trim().toLowerCase()));
  return (name) => names.has(name);
};
