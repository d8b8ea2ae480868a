import { lookup } from 'node:dns/promises';
import { failure, ok, warning, type Finding } from '@commonplace/checks';
import { processClockFinding } from './clock-finding.ts';
import type { Deployment } from './deployment.ts';

const names = ['gateway', 'auth', 'agents', 'notes'];

/**
 * Checks every process of every service whose base URL is set, as it is in docker-compose and for services on several
 * machines: that it responds, and its clock. The gateway sees only one process of each.
 */
export const checkProcesses = async ({ env }: Deployment): Promise<Finding[]> => {
  const found = names.map(async (name) => {
    const urls = baseUrlsOf(env, name);
    return (await Promise.all(urls.map((url) => checkAll(name, url)))).flat();
  });
  return (await Promise.all(found)).flat();
};

/** How many processes a service has, by the addresses of its base URLs; 0 where none is set or known. */
export const countProcesses = async (env: Deployment['env'], name: string): Promise<number> => {
  const found = await Promise.allSettled(baseUrlsOf(env, name).map(addressesOf));
  return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : [])).length;
};

const baseUrlsOf = (env: Deployment['env'], name: string): readonly string[] =>
  (env[`${name.toUpperCase()}_URL`] ?? '').split(',').flatMap((url) => url.trim() || []);

/** A name may have any number of addresses. Rejects for what is no URL, too. */
const addressesOf = async (baseUrl: string) => lookup(new URL(baseUrl).hostname, { all: true });

const checkAll = async (name: string, baseUrl: string): Promise<Finding[]> => {
  try {
    const addresses = await addressesOf(baseUrl);
    const findings = addresses.map(({ address, family }, index) => {
      const url = new URL('/readyz', baseUrl);
      url.hostname = family === 6 ? `[${address}]` : address;
      return checkOne(addresses.length === 1 ? name : `${name} ${index + 1}`, url);
    });
    return (await Promise.all(findings)).flat();
  } catch {
    return [failure(name, `${baseUrl} has no address`, 'Start it: docker-compose up -d.')];
  }
};

const checkOne = async (name: string, url: URL): Promise<Finding[]> => {
  try {
    const { status, headers } = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    return [
      status === 200
        ? ok(name, `${url.host} is ready`)
        : warning(name, `${url.host} is not ready`, 'Its log says why.'),
      processClockFinding(name, headers.get('date')),
    ];
  } catch {
    return [failure(name, `${url.host} does not respond`, 'Its log says why, if it runs.')];
  }
};
