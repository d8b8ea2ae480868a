import pg from 'pg';

/** Rows come back as numbers and Dates: our bigints are counters far below 2^53. */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);

export type DbOptions = {
  /** Connection URL of the service's own `<service>_app` role. */
  readonly url: string;
  readonly connectionsMax?: number;
  /** Told of connections that broke while idle; without a listener they would end the process. */
  readonly onIdleError: (error: Error) => void;
};

/** A pool of pipelining connections: statements sent without waiting share a round trip. */
export type Db = { readonly pool: pg.Pool; readonly close: () => Promise<void> };

/** Opens the pool of a service. Nothing connects before the first query. */
export const createDb = ({ url, connectionsMax = 10, onIdleError }: DbOptions): Db => {
  const config: pg.PoolConfig & { pipeline: boolean } = {
    connectionString: url,
    max: connectionsMax,
    types,
    pipeline: true,
    connectionTimeoutMillis: 2_000,
    idleTimeoutMillis: 60_000,
    query_timeout: 15_000,
    statement_timeout: 15_000,
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
  };
  const pool = new pg.Pool(config);
  pool.on('error', onIdleError);
  // A client that breaks while it is checked out reports through its queries; this keeps it from throwing as well.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return { pool, close: () => pool.end() };
};
