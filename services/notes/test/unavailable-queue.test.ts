import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { runWorkers, type WorkersDeps } from '../src/jobs/run-workers.ts';
import { createNotesWorld, type NotesWorld } from './notes-world.ts';

let world: NotesWorld;
beforeAll(async () => {
  world = await createNotesWorld();
});
afterAll(() => world.close());

it('workers look for jobs less often while PostgreSQL is unavailable, and as before when it is back', async () => {
  const deps = world.deps[0] as NotesWorld['deps'][number];
  const { pool } = deps.db;
  const stopping = new AbortController();
  const waits: number[] = [];
  let isAvailable = false;
  const connect = async () => {
    if (!isAvailable) {
      throw new Error('connect ECONNREFUSED');
    }
    return pool.connect();
  };
  /** Two workers wait in each round. */
  const wait = async (ms: number) => {
    waits.push(ms);
    isAvailable = waits.length >= 12;
    if (waits.length >= 14) {
      stopping.abort();
    }
  };
  const without = { ...deps, db: { ...deps.db, pool: { connect } }, jobSignal: { wait } };
  await runWorkers(without as unknown as WorkersDeps, stopping.signal);
  const rounds = [1_000, 2_000, 4_000, 8_000, 8_000, 8_000];
  expect(waits.slice(0, 12)).toEqual(rounds.flatMap((ms) => [ms, ms]));
  expect(waits.at(-1)).toBe(1_000);
});
