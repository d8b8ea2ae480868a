import { startMetrics, type Reading } from '@commonplace/http/metrics';
import type { Logger, OnAnswered } from '@commonplace/http/core';
import type { Tally } from './tally.ts';

export type GatewayMetricsOptions = {
  readonly host: string;
  readonly port: number;
  readonly log: Logger;
  readonly tally: Tally;
};

/** What the gateway tells the metrics, and how to end them. */
export type GatewayMetrics = {
  readonly onAnswered: OnAnswered;
  readonly port: number;
  readonly stop: () => void;
};

/** Serves what the gateway counts. Loaded only where there is a port for it. */
export const startGatewayMetrics = async ({
  tally,
  ...where
}: GatewayMetricsOptions): Promise<GatewayMetrics> => {
  const metrics = await startMetrics({ ...where, service: 'gateway', readings: readings(tally) });
  return {
    ...metrics,
    onAnswered: (answered) => {
      tally.limited += answered.status === 429 ? 1 : 0;
      metrics.onAnswered(answered);
    },
  };
};

const readings = (tally: Tally): Reading[] => [
  ...verificationReadings(tally),
  ...connectionReadings(tally),
  ...bodyReadings(tally),
];

const verificationReadings = (tally: Tally): Reading[] => [
  {
    kind: 'counter',
    name: 'gateway_verifications_total',
    help: 'Credentials and memberships asked for, by whether the cache knew them',
    label: 'result',
    read: () => ({ hit: tally.hits, miss: tally.misses }),
  },
  {
    kind: 'gauge',
    name: 'gateway_lookups_in_flight',
    help: 'Questions to services about credentials and memberships that are not answered yet',
    read: () => tally.inFlight,
  },
  {
    kind: 'counter',
    name: 'gateway_rate_limited_total',
    help: 'Requests answered 429',
    read: () => tally.limited,
  },
];

const connectionReadings = (tally: Tally): Reading[] => [
  {
    kind: 'gauge',
    name: 'gateway_connections_open',
    help: 'Connections of clients that are open',
    read: () => tally.connections,
  },
  {
    kind: 'counter',
    name: 'gateway_connections_refused_total',
    help: 'Connections closed at once, by the limit that was reached: of all clients, or of one address',
    label: 'limit',
    read: () => tally.refused,
  },
  {
    kind: 'counter',
    name: 'gateway_connections_unread_total',
    help: 'Connections cut because their client did not read what was written to it',
    read: () => tally.unread,
  },
];

const bodyReadings = (tally: Tally): Reading[] => [
  {
    kind: 'gauge',
    name: 'gateway_body_bytes',
    help: 'Bytes of request bodies held until they are complete and forwarded',
    read: () => tally.bodyBytes,
  },
  {
    kind: 'counter',
    name: 'gateway_bodies_refused_total',
    help: 'Requests refused because too many bytes of bodies were held',
    read: () => tally.bodiesRefused,
  },
];
