import pg from 'pg';
import { types } from './parsed-columns.ts';

export type DbOptions = {
  /** Connection URL of the service's own `<service>_app` role. */
  readonly url: string;
  readonly connectionsMax?: number;
  /**
   * Whether statements keep their names, by which a connection plans them once; default true. Off for
   * a pooler in transaction mode that does not know them (PgBouncer before 1.21).
   */
  readonly hasNamedStatements?: boolean;
  /** Whether the server is the coordinator of a Citus cluster; default false. */
  readonly isCitus?: boolean;
  /** Told of connections that broke while idle; without a listener they would end the process. */
  readonly onIdleError: (error: Error) => void;
};

/** A pool of pipelining connections: statements sent without waiting share a round trip. */
export type Db = {
  readonly pool: pg.Pool;
  readonly hasNamedStatements: boolean;
  readonly isCitus: boolean;
  /** How columns are read where it is not as usual. */
  readonly types?: pg.CustomTypesConfig;
  readonly close: () => Promise<void>;
};

/**
 * Opens the pool of a service. Nothing connects before the first query. Nothing is asked of a session
 * that a pooler between us and PostgreSQL might not pass on: the server's own time-outs belong to the
 * roles (infra/postgres/00-roles-and-schemas.sql).
 */
export const createDb = (options: DbOptions): Db => {
  const { url, connectionsMax = 10, hasNamedStatements = true, isCitus = false } = options;
  const config: pg.PoolConfig & { pipeline: boolean } = {
    connectionString: url,
    max: connectionsMax,
    types,
    pipeline: true,
    connectionTimeoutMillis: 2_000,
    idleTimeoutMillis: 60_000,
    query_timeout: 15_000,
    keepAlive: true,
  };
  const pool = new pg.Pool(config);
  pool.on('error', options.onIdleError);
  // A client that breaks while it is checked out reports through its queries; this keeps it from throwing as well.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return { pool, hasNamedStatements, isCitus, close: () => pool.end() };
};
