import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { processExists, startPostgres } from '@commonplace/embedded-postgres';
import { directoryPrefix } from '../src/own-directory.ts';
import { sweepLeftovers } from '../src/sweep-leftovers.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commonplace-sweep-'));
  // As /tmp is: the user that the server runs as can pass.
  await chmod(folder, 0o711);
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

/** The id of a process that has ended. */
const endedPid = async (): Promise<number> => {
  const running = promisify(execFile)(process.execPath, ['--version']);
  await running;
  return running.child.pid ?? 0;
};

test('of several test runs that begin at once, one stops the server of a killed run and removes its files', async () => {
  const dataDir = join(folder, `${directoryPrefix(await endedPid())}killed`);
  const server = await startPostgres({ dataDir, fsync: false });

  await Promise.all([sweepLeftovers(folder), sweepLeftovers(folder), sweepLeftovers(folder)]);

  await server.exited;
  expect(processExists(server.pid)).toBe(false);
  expect(await readdir(folder)).toEqual([]);
});

test('what a run left before its server was complete is removed', async () => {
  const dataDir = join(folder, `${directoryPrefix(await endedPid())}incomplete`);
  await mkdir(join(dataDir, 'pgdata'), { recursive: true });
  await writeFile(join(dataDir, 'pgdata', 'PG_VERSION'), '18\n');
  await sweepLeftovers(folder);
  expect(await readdir(folder)).toEqual([]);
});

test('directories of running test runs, and those of unknown ones, stay', async () => {
  const kept = [`${directoryPrefix(process.pid)}own`, 'commonplace-test-without-owner'];
  for (const name of kept) {
    await mkdir(join(folder, name));
  }
  await sweepLeftovers(folder);
  expect((await readdir(folder)).toSorted()).toEqual(kept.toSorted());
});
