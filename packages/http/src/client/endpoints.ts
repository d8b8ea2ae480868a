import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

/** One process of a service: an address and a port. */
export type Endpoint = { readonly host: string; readonly port: number };

/** Returns the current processes of a service. */
export type Endpoints = () => Promise<readonly Endpoint[]>;

/** How long a DNS result is used; a new process is found after this time. */
const dnsTtlMs = 1_000;

/**
 * Finds the processes behind base URLs. A name may have any number of addresses, such as those of scaled
 * containers. It is resolved at most once a second, and only for new connections. The last result is used while
 * DNS is unavailable.
 */
export const endpointsOf = (baseUrls: readonly string[]): Endpoints => {
  const urls = baseUrls.map((baseUrl) => new URL(baseUrl));
  let known: Promise<readonly Endpoint[]> | undefined;
  let resolvedAtMs = -Infinity;
  return () => {
    const nowMs = performance.now();
    if (known === undefined || nowMs - resolvedAtMs >= dnsTtlMs) {
      const last = known;
      resolvedAtMs = nowMs;
      known = resolveAll(urls).catch((error: unknown) => last ?? Promise.reject(error as Error));
    }
    return known;
  };
};

const resolveAll = async (urls: readonly URL[]): Promise<readonly Endpoint[]> => {
  const found = await Promise.allSettled(urls.map(resolve));
  const endpoints = found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  const failure = found.find((each) => each.status === 'rejected');
  if (endpoints.length === 0 && failure) {
    throw failure.reason;
  }
  return endpoints;
};

const resolve = async (url: URL): Promise<readonly Endpoint[]> => {
  const name = url.hostname.replaceAll(/[[\]]/g, '');
  const port = Number(url.port) || 80;
  const addresses = isIP(name) ? [{ address: name }] : await lookup(name, { all: true });
  return addresses.map(({ address }) => ({ host: address, port }));
};
