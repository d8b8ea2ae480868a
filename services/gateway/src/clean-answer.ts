import type { IncomingMessage, ServerResponse } from 'node:http';
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
 * Cleans the headers of a service's answer in place, before the proxy copies them. Only auth sets
 * cookies. Whether the client's connection stays open is between it and us: the proxy would pass on
 * the service's word.
 */
export const cleanAnswer = (
  { headers }: IncomingMessage,
  res: ServerResponse,
  service: ServiceName,
): void => {
  for (const name of Object.keys(headers)) {
    if (dropped.has(name)) {
      delete headers[name];
    }
  }
  if (service !== 'auth') {
    delete headers['set-cookie'];
  }
  if (res.hasHeader('Vary') && headers.vary !== undefined) {
    headers.vary = `${headers.vary}, ${String(res.getHeader('Vary'))}`;
  }
  const staysOpen = res.shouldKeepAlive && res.getHeader('Connection') !== 'close';
  headers.connection = staysOpen ? 'keep-alive' : 'close';
  if (staysOpen) {
    headers['keep-alive'] = `timeout=${keepAliveSeconds}`;
  }
};
