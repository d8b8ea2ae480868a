import { createKeyedLimiter, type KeyedLimiter } from '@commonplace/concurrency';
import { AppError, type CompanyId } from '@commonplace/contracts/core';
import pg from 'pg';
import { createDatabaseClock, type DatabaseClock } from './database-clock.ts';
import { types } from './parsed-columns.ts';

export type DbOptions = {
  /** Connection URL of the service's own `<service>_app` role. */
  readonly url: string;
  readonly connectionsMax?: number;
  /**
   * Whether statements have names, so that a connection parses them once; default true. Off for a pooler in
   * transaction mode without support for them (PgBouncer before 1.21).
   */
  readonly hasNamedStatements?: boolean;
  /** Whether the server is the coordinator of a Citus cluster; default false. */
  readonly isCitus?: boolean;
  /** Called when an idle connection breaks; without a listener it would end the process. */
  readonly onIdleError: (error: Error) => void;
};

/** A pool of pipelining connections: statements sent without waiting share a round trip. */
export type Db = {
  readonly pool: pg.Pool;
  readonly hasNamedStatements: boolean;
  readonly isCitus: boolean;
  /** On Citus, where each read of a company holds a connection too: bounds the connections of one. */
  readonly limitCompany?: KeyedLimiter<CompanyId>;
  /** Type parsers other than the default ones. */
  readonly types?: pg.CustomTypesConfig;
  /** The time by which everything is decided that is stored or deleted. */
  readonly clock: DatabaseClock;
  readonly close: () => Promise<void>;
};

/** How long a connection may take, or the wait for one. */
const connectMaxMs = 2_000;

/**
 * The share of the connections that one company has on Citus. Statements on a worker that hangs hold theirs until they
 * time out, and must leave some for companies elsewhere.
 */
const companyShare = 1 / 3;
/** With one, requests of a company would wait for each other on a healthy cluster too. */
const companyMin = 2;

/**
 * Opens the pool of a service. It connects at the first query. It sets no session parameters, because a pooler in
 * between might not forward them: the timeouts of the server belong to the roles
 * (infra/postgres/00-roles-and-schemas.sql).
 */
export const createDb = (options: DbOptions): Db => {
  const { url, connectionsMax = 10, hasNamedStatements = true, isCitus = false } = options;
  const config: pg.PoolConfig & { pipeline: boolean } = {
    connectionString: url,
    max: connectionsMax,
    types,
    pipeline: true,
    connectionTimeoutMillis: connectMaxMs,
    // A server process takes 2 to 5 MB; two connections are kept for the next request.
    min: 2,
    idleTimeoutMillis: 10_000,
    query_timeout: 15_000,
    keepAlive: true,
  };
  const pool = new pg.Pool(config);
  pool.on('error', options.onIdleError);
  // A client in use reports errors through its queries. This listener keeps it from throwing as well.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return {
    pool,
    hasNamedStatements,
    isCitus,
    ...(isCitus && { limitCompany: companyLimiter(connectionsMax) }),
    clock: createDatabaseClock(() => readTimeMs(pool)),
    close: () => pool.end(),
  };
};

/** The time of the server (on Citus: of the coordinator), in milliseconds since 1970. */
const readTimeMs = async (pool: pg.Pool): Promise<number> => {
  const { rows } = await pool.query<{ ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
  );
  return rows[0]?.ms ?? Number.NaN;
};

const companyLimiter = (connectionsMax: number): KeyedLimiter<CompanyId> =>
  createKeyedLimiter({
    runningMax: Math.max(companyMin, Math.floor(connectionsMax * companyShare)),
    waitMaxMs: connectMaxMs,
    rejection: () =>
      new AppError('service_unavailable', 'The database is too slow for this company.'),
  });
