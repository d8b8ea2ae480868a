/** What the gateway counts beside requests, for the metrics. */
export type Tally = { hits: number; misses: number; inFlight: number; limited: number };

/** Starts at nothing. */
export const createTally = (): Tally => ({ hits: 0, misses: 0, inFlight: 0, limited: 0 });
