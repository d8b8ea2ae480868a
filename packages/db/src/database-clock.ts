import { AppError } from '@commonplace/contracts/core';

/** The time of PostgreSQL: one clock for all processes, whatever those of their machines say. */
export type DatabaseClock = {
  /** The time now. Throws 503 before it was read once. */
  readonly now: () => Date;
  /** Reads the time from the database. */
  readonly synchronise: () => Promise<void>;
};

/**
 * Creates a clock that goes on from what the database said last. Between two readings it counts the time that has passed
 * in this process, so a clock of the machine that is wrong, or is set meanwhile, changes nothing.
 */
export const createDatabaseClock = (
  readMs: () => Promise<number>,
  elapsedMs: () => number = () => performance.now(),
): DatabaseClock => {
  /** What is added to the elapsed time; null: never read. */
  let offsetMs: number | null = null;
  return {
    now: () => {
      if (offsetMs === null) {
        throw notRead();
      }
      return new Date(offsetMs + elapsedMs());
    },
    synchronise: async () => {
      const sentAtMs = elapsedMs();
      const databaseMs = await readMs();
      // The database read its clock between the request and the response. Within that range this one stays as it is, so
      // that a slow response does not move it.
      const [earliest, latest] = [databaseMs - elapsedMs(), databaseMs - sentAtMs];
      offsetMs = Math.min(latest, Math.max(earliest, offsetMs ?? earliest));
    },
  };
};

const notRead = () =>
  new AppError('service_unavailable', undefined, {
    cause: new Error('The time of the database was not read yet'),
    headers: { 'Retry-After': '1' },
  });
