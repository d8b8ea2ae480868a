import type { Config } from './config.ts';

/** The origins that count as this site itself, by the port it was reached on. */
export type PublicOrigins = (localPort: number) => readonly string[];

/**
 * Makes the list of own origins: `PUBLIC_URL`, or loopback with our port. In local trusted mode, where
 * only loopback is answered, loopback counts besides `PUBLIC_URL`.
 */
export const publicOrigins = ({ PUBLIC_URL, DEPLOYMENT_MODE }: Config): PublicOrigins => {
  if (PUBLIC_URL !== undefined && DEPLOYMENT_MODE === 'authenticated') {
    return () => [PUBLIC_URL];
  }
  const own = PUBLIC_URL === undefined ? [] : [PUBLIC_URL];
  return (localPort) => {
    const suffix = localPort === 80 ? '' : `:${localPort}`;
    return [...own, ...loopbackHosts.map((host) => `http://${host}${suffix}`)];
  };
};

/** The names of this machine that browsers and clients write. */
export const loopbackHosts = ['127.0.0.1', 'localhost', '[::1]'] as const;
