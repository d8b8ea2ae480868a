import { startMetrics, type Reading } from '@commonplace/http/metrics';
import type { Logger, OnAnswered } from '@commonplace/http/core';
import type { GatewayCounters } from './counters.ts';

export type GatewayMetricsOptions = {
  readonly host: string;
  readonly port: number;
  readonly log: Logger;
  readonly counters: GatewayCounters;
};

/** What the gateway tells the metrics, and how to end them. */
export type GatewayMetrics = {
  readonly onAnswered: OnAnswered;
  readonly port: number;
  readonly stop: () => void;
};

/** Serves what the gateway counts. Loaded only where there is a port for it. */
export const startGatewayMetrics = async ({
  counters,
  ...where
}: GatewayMetricsOptions): Promise<GatewayMetrics> => {
  const metrics = await startMetrics({
    ...where,
    service: 'gateway',
    readings: collectors(counters),
  });
  return {
    ...metrics,
    onAnswered: (answered) => {
      counters.limited += answered.status === 429 ? 1 : 0;
      metrics.onAnswered(answered);
    },
  };
};

const collectors = (counters: GatewayCounters): Reading[] => [
  ...verificationCollectors(counters),
  ...connectionCollectors(counters),
  ...bodyCollectors(counters),
];

const verificationCollectors = (counters: GatewayCounters): Reading[] => [
  {
    kind: 'counter',
    name: 'gateway_verifications_total',
    help: 'Credentials and memberships asked for, by whether the cache knew them',
    label: 'result',
    read: () => ({ hit: counters.hits, miss: counters.misses }),
  },
  {
    kind: 'gauge',
    name: 'gateway_lookups_in_flight',
    help: 'Questions to services about credentials and memberships that are not answered yet',
    read: () => counters.inFlight,
  },
  {
    kind: 'counter',
    name: 'gateway_rate_limited_total',
    help: 'Requests answered 429',
    read: () => counters.limited,
  },
];

const connectionCollectors = (counters: GatewayCounters): Reading[] => [
  {
    kind: 'gauge',
    name: 'gateway_connections_open',
    help: 'Connections of clients that are open',
    read: () => counters.connections,
  },
  {
    kind: 'counter',
    name: 'gateway_connections_refused_total',
    help: 'Connections closed at once, by the limit that was reached: of all clients, or of one address',
    label: 'limit',
    read: () => counters.refused,
  },
  {
    kind: 'counter',
    name: 'gateway_connections_unread_total',
    help: 'Connections cut because their client did not read what was written to it',
    read: () => counters.unread,
  },
];

const bodyCollectors = (counters: GatewayCounters): Reading[] => [
  {
    kind: 'gauge',
    name: 'gateway_body_bytes',
    help: 'Bytes of request bodies held until they are complete and forwarded',
    read: () => counters.bodyBytes,
  },
  {
    kind: 'counter',
    name: 'gateway_bodies_refused_total',
    help: 'Requests refused because too many bytes of bodies were held',
    read: () => counters.bodiesRefused,
  },
];
