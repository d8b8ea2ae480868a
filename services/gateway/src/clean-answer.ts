import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { ServiceName } from '@commonplace/contracts';
import {
  clientAddressHeader,
  companyHeader,
  identityHeader,
  requestIdHeader,
} from '@commonplace/identity';

/** Seconds an idle connection of a client is kept. */
export const keepAliveSeconds = 65;

/** What a service says that is not for clients, or that the gateway says itself. */
const dropped: ReadonlySet<string> = new Set([
  'x-powered-by',
  'server',
  'keep-alive',
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
 * Writes the headers of a service's answer anew, before the proxy copies them. Only auth sets cookies.
 * Whether the client's connection stays open is between it and us: the proxy would pass on the service's
 * word.
 */
export const cleanAnswer = (
  answer: IncomingMessage,
  res: ServerResponse,
  service: ServiceName,
): void => {
  const cleaned: IncomingHttpHeaders = {};
  for (const name of Object.keys(answer.headers)) {
    if (!dropped.has(name) && (name !== 'set-cookie' || service === 'auth')) {
      cleaned[name] = answer.headers[name];
    }
  }
  if (cleaned.vary !== undefined && res.hasHeader('Vary')) {
    cleaned.vary = `${cleaned.vary}, ${String(res.getHeader('Vary'))}`;
  }
  const staysOpen = res.shouldKeepAlive && res.getHeader('Connection') !== 'close';
  cleaned.connection = staysOpen ? 'keep-alive' : 'close';
  if (staysOpen) {
    cleaned['keep-alive'] = `timeout=${keepAliveSeconds}`;
  }
  answer.headers = cleaned;
};
