import { AppError } from '@commonplace/contracts/core';

/** The time of PostgreSQL: one clock for all processes, whatever those of their machines say. */
export type DatabaseClock = {
  /** The time now. Throws 503 before it was read once, and from a jump of the machine's clock to the next reading. */
  readonly now: () => Date;
  /** Reads the time from the database. */
  readonly synchronise: () => Promise<void>;
};

/** The clocks of the machine, in milliseconds: the time that has passed, and the time of day, which may be wrong. */
type MachineClocks = { readonly elapsedMs: () => number; readonly timeOfDayMs: () => number };

const machineClocks: MachineClocks = {
  elapsedMs: () => performance.now(),
  timeOfDayMs: () => Date.now(),
};

type Reading = {
  /** What is added to the elapsed time. */
  readonly offsetMs: number;
  /** How far the time of day was ahead of the elapsed time. */
  readonly timeOfDayAheadMs: number;
};

/** By how much the time of day may gain on the elapsed time after a reading. */
const gainMaxMs = 2_000;

/**
 * Creates a clock that goes on from what the database said last. Between two readings it counts the time that has passed
 * in this process, so a clock of the machine that is wrong, or is set meanwhile, changes nothing.
 *
 * The elapsed time stands still while the machine is suspended. The time of day then jumps, as it does when somebody sets
 * it. Which of both it was, only the database knows: until it was read there is no time.
 */
export const createDatabaseClock = (
  readMs: () => Promise<number>,
  { elapsedMs, timeOfDayMs }: MachineClocks = machineClocks,
): DatabaseClock => {
  /** Null: never read. */
  let last: Reading | null = null;
  let repeating: Promise<void> | null = null;
  const timeOfDayAheadMs = () => timeOfDayMs() - elapsedMs();

  const synchronise = async (): Promise<void> => {
    // Before the reading: after a jump during it, it is repeated.
    const aheadMs = timeOfDayAheadMs();
    const sentAtMs = elapsedMs();
    const databaseMs = await readMs();
    // The database read its clock between the request and the response. Within that range this one stays as it is, so
    // that a slow response does not move it.
    const [earliest, latest] = [databaseMs - elapsedMs(), databaseMs - sentAtMs];
    const offsetMs = Math.min(latest, Math.max(earliest, last?.offsetMs ?? earliest));
    last = { offsetMs, timeOfDayAheadMs: aheadMs };
  };
  /** Who reads the clock regularly reports failures. */
  const repeat = (): void => {
    repeating ??= synchronise()
      .catch(() => undefined)
      .finally(() => (repeating = null));
  };

  return {
    now: () => {
      if (last === null) {
        throw unavailable('The time of the database was not read yet');
      }
      if (timeOfDayAheadMs() - last.timeOfDayAheadMs > gainMaxMs) {
        repeat();
        throw unavailable('The clock of the machine has jumped: the time of the database is read');
      }
      return new Date(last.offsetMs + elapsedMs());
    },
    synchronise,
  };
};

const unavailable = (reason: string) =>
  new AppError('service_unavailable', undefined, {
    cause: new Error(reason),
    headers: { 'Retry-After': '1' },
  });
