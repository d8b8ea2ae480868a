import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commonplace-worker-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Starts a process with something that only its end stops, ends it, and returns how it ended and what the stop wrote. */
const afterEnd = async (end: (worker: ChildProcess) => unknown) => {
  const file = join(folder, 'written-by-the-stop');
  const worker = fork(join(import.meta.dirname, 'worker-main.ts'), [file]);
  await once(worker, 'message');
  const exited = once(worker, 'exit');
  end(worker);
  const [exitCode] = (await exited) as [number | null];
  return { exitCode, written: await readFile(file, 'utf8') };
};

describe('what test files of a worker share', () => {
  it('is stopped, and the worker ends by itself, when Jest needs no worker any more', async () => {
    expect(await afterEnd((worker) => worker.send('end'))).toEqual({
      exitCode: 0,
      written: 'stopped',
    });
  });

  it('is stopped when Jest terminates a worker that has become too large', async () => {
    expect(await afterEnd((worker) => worker.kill('SIGTERM'))).toEqual({
      exitCode: 143,
      written: 'stopped',
    });
  });
});
