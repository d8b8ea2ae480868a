import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

/** One process of a service: an address and a port. */
export type Endpoint = { readonly host: string; readonly port: number };

/** Names the processes of a service as they are now. */
export type Endpoints = () => Promise<readonly Endpoint[]>;

/** How long an answer of the name service is believed: so soon a new process is known. */
const dnsTtlMs = 1_000;

/**
 * Finds the processes behind base URLs. A name may stand for any number of addresses, as those of
 * scaled containers do; it is asked for again every second at most, and only while somebody connects.
 * When the name service is away, what it said last holds.
 */
export const endpointsOf = (baseUrls: readonly string[]): Endpoints => {
  const urls = baseUrls.map((baseUrl) => new URL(baseUrl));
  let known: Promise<readonly Endpoint[]> | undefined;
  let askedAtMs = -Infinity;
  return () => {
    const nowMs = performance.now();
    if (known === undefined || nowMs - askedAtMs >= dnsTtlMs) {
      const last = known;
      askedAtMs = nowMs;
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
