import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Begins the names of the directories of tests that a process owns. The owner is part of the name: renaming is
 * how another process takes a directory over, and only one of several can.
 */
export const directoryPrefix = (pid: number): string => `commonplace-test-${pid}-`;

/** Makes a temporary directory. If this process is killed, the next test run removes it. */
export const makeOwnDirectory = (): Promise<string> =>
  mkdtemp(join(tmpdir(), directoryPrefix(process.pid)));
