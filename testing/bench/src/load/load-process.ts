import { randomBytes } from 'node:crypto';
import autocannon from 'autocannon';
import { asChild } from '../child.ts';
import type { Load, LoadFigures, LoadRequest, Rotation } from './run-load.ts';

/** Ids share a random prefix and count up, which is cheaper than a random id per request. */
const prefix = randomBytes(8).toString('hex');
let count = 0;

const filledIn = (text: string, rotation: Rotation | undefined): string =>
  text.includes('{{')
    ? text
        .replaceAll('{{id}}', idOf(count))
        .replaceAll('{{n}}', `${count}`)
        .replaceAll('{{value}}', valueOf(rotation))
    : text;

const valueOf = (rotation: Rotation | undefined): string =>
  rotation?.values[Math.floor(count / rotation.requests) % rotation.values.length] ?? '';

const idOf = (n: number): string =>
  `${prefix.slice(0, 8)}-${prefix.slice(8, 12)}-4${prefix.slice(12, 15)}-8000-${n.toString(16).padStart(12, '0')}`;

/** Each connection gets one request, or all; requests with a template are rendered each time. */
const run = async (load: Load): Promise<LoadFigures> => {
  const { url, requests, connections, seconds, isCycled = false, perSecondMax } = load;
  let next = 0;
  const times: number[] = [];
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    // It ends at the end of an interval, which is a second by default.
    sampleInt: 100,
    ...(perSecondMax === undefined ? {} : { overallRate: perSecondMax }),
    setupClient: (client) => {
      const at = next % requests.length;
      next += 1;
      client.on('response', (_status, _bytes, ms) => times.push(ms));
      client.setRequests((isCycled ? requests : requests.slice(at, at + 1)).map(asRequest));
    },
  });
  return {
    perSecond: result.requests.total / result.duration,
    p50Ms: result.latency.p50,
    p95Ms: percentileOf(times, 0.95),
    p99Ms: result.latency.p99,
    requests: result.requests.total,
    failed: result.non2xx + result.errors + result.timeouts,
  };
};

/** autocannon reports no percentile between 90 and 97.5. */
const percentileOf = (times: readonly number[], share: number): number => {
  const sorted = Float64Array.from(times).toSorted();
  return sorted[Math.floor(share * sorted.length)] ?? 0;
};

const asRequest = ({
  method,
  path,
  headers,
  body = '',
  rotation,
}: LoadRequest): autocannon.Request => {
  const isTemplate = path.includes('{{') || body.includes('{{');
  const setupRequest = (blank: autocannon.Request) => {
    count += 1;
    return { ...blank, path: filledIn(path, rotation), body: filledIn(body, rotation) };
  };
  return { method, path, headers: { ...headers }, body, ...(isTemplate ? { setupRequest } : {}) };
};

asChild(run);
