import type { IncomingMessage } from 'node:http';
import type { Config } from '../config.ts';

/** Returns the origins of this site, for the port that a request came in on. */
export type PublicOrigins = (req: IncomingMessage) => readonly string[];

/**
 * Creates the list of this site's origins: `PUBLIC_URL`, or else 127.0.0.1 and localhost with the port. In
 * local trusted mode, which only accepts loopback, it holds every loopback name beside `PUBLIC_URL`.
 */
export const createPublicOrigins = (
  { PUBLIC_URL, DEPLOYMENT_MODE }: Config,
  publicPortOf: (req: IncomingMessage) => number,
): PublicOrigins => {
  const isLocal = DEPLOYMENT_MODE === 'local_trusted';
  if (PUBLIC_URL !== undefined && !isLocal) {
    return () => [PUBLIC_URL];
  }
  const configured = PUBLIC_URL === undefined ? [] : [PUBLIC_URL];
  const hosts = isLocal ? loopbackHosts : defaultHosts;
  return (req) => {
    const port = publicPortOf(req);
    const suffix = port === 80 ? '' : `:${port}`;
    return [...configured, ...hosts.map((host) => `http://${host}${suffix}`)];
  };
};

/** The hosts that docs/contract.md names as the default for `PUBLIC_URL`. */
const defaultHosts = ['127.0.0.1', 'localhost'] as const;

/** The names of loopback that browsers and clients send. */
export const loopbackHosts = [...defaultHosts, '[::1]'] as const;
