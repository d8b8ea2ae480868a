import { clockCollector, startMetrics, type Collector } from '@commonplace/http/metrics';
import type { Logger, OnResponse } from '@commonplace/http/core';
import type { GatewayCounters } from './counters.ts';

export type GatewayMetricsOptions = {
  readonly host: string;
  readonly port: number;
  readonly log: Logger;
  readonly counters: GatewayCounters;
};

/** The running metrics server. */
export type GatewayMetrics = {
  readonly onResponse: OnResponse;
  readonly port: number;
  readonly stop: () => void;
};

/** Serves the metrics of the gateway. This module is only loaded when a metrics port is configured. */
export const startGatewayMetrics = async ({
  counters,
  ...where
}: GatewayMetricsOptions): Promise<GatewayMetrics> => {
  const metrics = await startMetrics({
    ...where,
    service: 'gateway',
    collectors: collectors(counters),
  });
  return {
    ...metrics,
    onResponse: (response) => {
      counters.limited += response.status === 429 ? 1 : 0;
      metrics.onResponse(response);
    },
  };
};

const collectors = (counters: GatewayCounters): Collector[] => [
  ...verificationCollectors(counters),
  ...connectionCollectors(counters),
  ...bodyCollectors(counters),
  clockCollector,
];

const verificationCollectors = (counters: GatewayCounters): Collector[] => [
  {
    kind: 'counter',
    name: 'gateway_verifications_total',
    help: 'Verifications of credentials and memberships, by whether the cache had them',
    label: 'result',
    read: () => ({ hit: counters.hits, miss: counters.misses }),
  },
  {
    kind: 'gauge',
    name: 'gateway_lookups_in_flight',
    help: 'Lookups of credentials and memberships in flight',
    read: () => counters.inFlight,
  },
  {
    kind: 'counter',
    name: 'gateway_rate_limited_total',
    help: 'Requests with status 429',
    read: () => counters.limited,
  },
];

const connectionCollectors = (counters: GatewayCounters): Collector[] => [
  {
    kind: 'gauge',
    name: 'gateway_connections_open',
    help: 'Open client connections',
    read: () => counters.connections,
  },
  {
    kind: 'counter',
    name: 'gateway_connections_refused_total',
    help: 'Connections refused, by the limit that was reached: in total, or per address',
    label: 'limit',
    read: () => counters.refused,
  },
  {
    kind: 'counter',
    name: 'gateway_connections_unread_total',
    help: 'Connections closed because their client did not read the response',
    read: () => counters.unread,
  },
];

const bodyCollectors = (counters: GatewayCounters): Collector[] => [
  {
    kind: 'gauge',
    name: 'gateway_body_bytes',
    help: 'Bytes of request bodies that are buffered until they are complete',
    read: () => counters.bodyBytes,
  },
  {
    kind: 'counter',
    name: 'gateway_bodies_refused_total',
    help: 'Requests rejected because too many body bytes were buffered',
    read: () => counters.bodiesRefused,
  },
];
