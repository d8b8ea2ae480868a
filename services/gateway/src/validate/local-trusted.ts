import type { IncomingMessage } from 'node:http';
import { AppError } from '@commonplace/contracts';
import { loopbackHosts } from './public-origins.ts';

/**
 * In local trusted mode whoever reaches the gateway is the operator. So it answers only to a loopback
 * `Host` with its own port (421; a web page can give any name our address), and to nothing that came
 * through a proxy or tunnel (403; that would be somebody from elsewhere).
 */
export const assertLocalRequest = (req: IncomingMessage, localPort: number): void => {
  if (!isLoopbackHost(req.headers.host ?? '', localPort)) {
    throw new AppError('misdirected_request', 'In local trusted mode only loopback is answered.');
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

/** Names come in lower case; some proxies write underscores. */
const isForwardingHeader = (name: string): boolean =>
  name === 'forwarded' || /^x[-_]forwarded(?:[-_]|$)/.test(name);
