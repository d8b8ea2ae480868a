import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { read } from '../src/index.ts';
import { createDatabaseClock } from '../src/database-clock.ts';
import { openTestDb, type OpenedTestDb } from './open-test-db.ts';

let opened: OpenedTestDb;
beforeAll(async () => {
  opened = await openTestDb();
});
afterAll(() => opened.close());

/** A clock whose database and whose machine the test sets; a response takes `responseMs`. */
const simulate = () => {
  const times = { databaseMs: 1_000_000, elapsedMs: 50, timeOfDayMs: 7_000_000, responseMs: 0 };
  /** The machine is suspended: its elapsed time stands still. */
  const suspend = (ms: number) => {
    times.databaseMs += ms;
    times.timeOfDayMs += ms;
  };
  const pass = (ms: number) => {
    suspend(ms);
    times.elapsedMs += ms;
  };
  let isSuspendedWhileRead = false;
  const readMs = async () => {
    const { databaseMs, responseMs } = times;
    pass(responseMs);
    suspend(isSuspendedWhileRead ? hourMs : 0);
    isSuspendedWhileRead = false;
    return databaseMs;
  };
  const clock = createDatabaseClock(readMs, {
    elapsedMs: () => times.elapsedMs,
    timeOfDayMs: () => times.timeOfDayMs,
  });
  return { times, pass, suspend, clock, suspendWhileRead: () => (isSuspendedWhileRead = true) };
};

const hourMs = 3_600_000;
const unavailable = expect.objectContaining({ status: 503 });
/** Lets a reading end that has begun. */
const endReading = () => new Promise(setImmediate);

describe('the clock of the database', () => {
  it('says the time of the server', async () => {
    const { db } = opened;
    const serverTime = async () =>
      (
        await read(db, 'global', (tx) => tx.query<{ at: Date }>('select clock_timestamp() as at'))
      )[0]?.at as Date;
    const before = await serverTime();
    await db.clock.synchronise();
    const now = db.clock.now();
    const after = await serverTime();
    // The parser of timestamps cuts what is below a millisecond.
    expect(now.getTime()).toBeGreaterThanOrEqual(before.getTime());
    expect(now.getTime()).toBeLessThanOrEqual(after.getTime() + 1);
  });

  it('is unavailable until it was read once', async () => {
    const { clock } = simulate();
    expect(clock.now).toThrow(unavailable);
    await clock.synchronise();
    expect(clock.now()).toEqual(new Date(1_000_000));
  });

  it('goes on while the database does not respond', async () => {
    const { clock, pass } = simulate();
    await clock.synchronise();
    pass(90_000);
    expect(clock.now()).toEqual(new Date(1_090_000));
  });

  it('stays as it is when a response is slow', async () => {
    const { clock, pass, times } = simulate();
    await clock.synchronise();
    pass(10_000);
    times.responseMs = 9_000;
    await clock.synchronise();
    expect(clock.now()).toEqual(new Date(1_019_000));
  });

  it('follows a server that takes over with another time', async () => {
    const { clock, times } = simulate();
    await clock.synchronise();
    times.databaseMs += 3_600_000;
    await clock.synchronise();
    expect(clock.now()).toEqual(new Date(4_600_000));
    times.databaseMs -= 7_200_000;
    await clock.synchronise();
    expect(clock.now()).toEqual(new Date(-2_600_000));
  });

  it('is unavailable after a suspend of the machine until it was read, which its next use begins', async () => {
    const { clock, suspend } = simulate();
    await clock.synchronise();
    suspend(8 * hourMs);
    expect(clock.now).toThrow(unavailable);
    await endReading();
    expect(clock.now()).toEqual(new Date(1_000_000 + 8 * hourMs));
  });

  it('is read again when the machine was suspended during a reading', async () => {
    const { clock, suspendWhileRead } = simulate();
    suspendWhileRead();
    await clock.synchronise();
    expect(clock.now).toThrow(unavailable);
    await endReading();
    expect(clock.now()).toEqual(new Date(1_000_000 + hourMs));
  });

  it('is read again, and the same, after the clock of the machine is set forward', async () => {
    const { clock, times } = simulate();
    await clock.synchronise();
    times.timeOfDayMs += hourMs;
    // It may have been a suspend.
    expect(clock.now).toThrow(unavailable);
    await endReading();
    expect(clock.now()).toEqual(new Date(1_000_000));
  });

  it('is the same after the clock of the machine is set back', async () => {
    const { clock, times } = simulate();
    await clock.synchronise();
    times.timeOfDayMs -= hourMs;
    expect(clock.now()).toEqual(new Date(1_000_000));
  });
});
