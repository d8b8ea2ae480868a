import type { Collector } from './collector.ts';

/** The counts of a pool of database connections. */
export type DatabasePool = {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
};

/** Connections in use and idle, and how many requests wait for one. */
export const poolCollectors = (pool: DatabasePool): Collector[] => [
  {
    kind: 'gauge',
    name: 'database_pool_connections',
    help: 'Connections to PostgreSQL by state',
    label: 'state',
    read: () => ({ used: pool.totalCount - pool.idleCount, idle: pool.idleCount }),
  },
  {
    kind: 'gauge',
    name: 'database_pool_waiting',
    help: 'Requests that wait for a connection to PostgreSQL',
    read: () => pool.waitingCount,
  },
];
