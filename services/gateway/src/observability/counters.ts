/** What the gateway counts beside requests, for the metrics. */
export type GatewayCounters = {
  hits: number;
  misses: number;
  inFlight: number;
  limited: number;
  /** Connections of clients that are open. */
  connections: number;
  /** Connections refused, by the limit that was reached. */
  readonly refused: { total: number; address: number };
  /** Connections cut because their client did not read. */
  unread: number;
  /** Bytes of request bodies that are held until they are complete and forwarded. */
  bodyBytes: number;
  /** Bodies refused because too many bytes were held. */
  bodiesRefused: number;
};

/** Starts at nothing. */
export const createCounters = (): GatewayCounters => ({
  hits: 0,
  misses: 0,
  inFlight: 0,
  limited: 0,
  connections: 0,
  refused: { total: 0, address: 0 },
  unread: 0,
  bodyBytes: 0,
  bodiesRefused: 0,
});
