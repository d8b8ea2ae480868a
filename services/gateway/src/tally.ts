/** What the gateway counts beside requests, for the metrics. */
export type Tally = {
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
};

/** Starts at nothing. */
export const createTally = (): Tally => ({
  hits: 0,
  misses: 0,
  inFlight: 0,
  limited: 0,
  connections: 0,
  refused: { total: 0, address: 0 },
  unread: 0,
});
