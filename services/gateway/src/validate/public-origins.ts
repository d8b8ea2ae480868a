import type { Config } from '../config.ts';

/** The origins that count as this site itself, by the port it was reached on. */
export type PublicOrigins = (localPort: number) => readonly string[];

/**
 * Makes the list of own origins: `PUBLIC_URL`, or 127.0.0.1 and localhost with our port. In local trusted
 * mode, where only loopback is answered, every name of loopback counts, and `PUBLIC_URL` besides.
 */
export const createPublicOrigins = ({ PUBLIC_URL, DEPLOYMENT_MODE }: Config): PublicOrigins => {
  const isLocal = DEPLOYMENT_MODE === 'local_trusted';
  if (PUBLIC_URL !== undefined && !isLocal) {
    return () => [PUBLIC_URL];
  }
  const own = PUBLIC_URL === undefined ? [] : [PUBLIC_URL];
  const hosts = isLocal ? loopbackHosts : defaultHosts;
  return (localPort) => {
    const suffix = localPort === 80 ? '' : `:${localPort}`;
    return [...own, ...hosts.map((host) => `http://${host}${suffix}`)];
  };
};

/** Those that the contract names in place of `PUBLIC_URL`. */
const defaultHosts = ['127.0.0.1', 'localhost'] as const;

/** The names of this machine that browsers and clients write. */
export const loopbackHosts = [...defaultHosts, '[::1]'] as const;
