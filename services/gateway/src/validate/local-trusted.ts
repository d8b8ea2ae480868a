import type { IncomingMessage } from 'node:http';
import { AppError } from '@commonplace/contracts';
import { loopbackHosts } from './public-origins.ts';

/**
 * Rejects requests that may come from another machine, because in local trusted mode every client is the
 * operator. `Host` must be loopback with the gateway's port (421), since a web page can point any name at
 * loopback (DNS rebinding). A request through a proxy or tunnel is 403.
 */
export const assertLocalRequest = (req: IncomingMessage, localPort: number): void => {
  if (!isLoopbackHost(req.headers.host ?? '', localPort)) {
    throw new AppError(
      'misdirected_request',
      'In local trusted mode the Host must be a loopback address with the port of the gateway.',
    );
  }
  if (Object.keys(req.headers).some(isForwardingHeader)) {
    throw new AppError('forwarded_request');
  }
};

const isLoopbackHost = (host: string, localPort: number): boolean => {
  const name = host.toLowerCase();
  return loopbackHosts.some(
    (own) => name === `${own}:${localPort}` || (localPort === 80 && name === own),
  );
};

/** Node gives names in lower case. Some proxies write underscores. */
const isForwardingHeader = (name: string): boolean =>
  name === 'forwarded' || /^x[-_]forwarded(?:[-_]|$)/.test(name);
