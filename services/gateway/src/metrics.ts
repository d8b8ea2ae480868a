import { createServer } from 'node:http';
import type { Logger } from '@commonplace/http/core';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import type { OnAnswered } from './deps.ts';

export type MetricsOptions = { readonly host: string; readonly port: number; readonly log: Logger };

/** What the gateway tells the metrics. */
export type Metrics = {
  readonly onAnswered: OnAnswered;
  readonly onLookUp: (isHit: boolean) => void;
  /** Ends the endpoint. */
  readonly stop: () => void;
};

/**
 * Counts requests and look-ups, and serves the counts to Prometheus on a port of its own, which is not
 * for the outside. Loaded only where there is such a port.
 */
export const startMetrics = async ({ host, port, log }: MetricsOptions): Promise<Metrics> => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Histogram({
    name: 'gateway_request_duration_seconds',
    help: 'Duration of requests by declared route and status',
    labelNames: ['route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30],
    registers,
  });
  const lookUps = new Counter({
    name: 'gateway_verifications_total',
    help: 'Credentials and memberships asked for, by whether the cache knew them',
    labelNames: ['result'],
    registers,
  });
  const server = createServer((_req, res) => {
    registry.metrics().then(
      (text) => res.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
      () => res.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  log.info({ host, port }, 'metrics listening');
  return {
    onAnswered: ({ route, status, durationMs }) =>
      requests.observe({ route, status }, durationMs / 1000),
    onLookUp: (isHit) => lookUps.inc({ result: isHit ? 'hit' : 'miss' }),
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
