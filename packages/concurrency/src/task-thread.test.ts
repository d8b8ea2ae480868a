import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTaskThread, type TaskThread } from './task-thread.ts';
import { createThreadMemory, type ThreadMemory } from './thread-memory.ts';

let folder: string;
let file: URL;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commonplace-thread-'));
  file = pathToFileURL(join(folder, 'worker.mjs'));
  // Each thread has an id of its own; a task takes as many milliseconds as its message says.
  await writeFile(
    file,
    `import { parentPort, threadId } from 'node:worker_threads';
     parentPort.on('message', (ms) => setTimeout(() => parentPort.postMessage(threadId), ms));
     parentPort.postMessage('ready');`,
  );
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const memory = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 };
const msMax = 60_000;

const createThread = (shared: ThreadMemory): TaskThread<number, number> =>
  createTaskThread<number, number>({
    file,
    memory,
    shared,
    idleMs: msMax,
    onError: (error) => {
      throw error;
    },
  });

const threadOf = async (thread: TaskThread<number, number>, ms = 0): Promise<number> =>
  (await thread.run(ms, msMax)).output;

describe('threads that share memory', () => {
  it('an idle thread goes on with the next task while there is memory', async () => {
    const shared = createThreadMemory(() => false);
    const [one, other] = [createThread(shared), createThread(shared)];
    const first = await threadOf(one);
    await threadOf(other);
    expect(await threadOf(one)).toBe(first);
  });

  it('a thread that has been idle for a second ends before another one starts where memory is scarce', async () => {
    const shared = createThreadMemory(() => true);
    const [one, other] = [createThread(shared), createThread(shared)];
    const first = await threadOf(one);
    await sleep(1_100);
    await threadOf(other);
    expect(await threadOf(one)).not.toBe(first);
  });

  it('threads that work by turns go on, however scarce memory is', async () => {
    const shared = createThreadMemory(() => true);
    const [one, other] = [createThread(shared), createThread(shared)];
    const first = [await threadOf(one), await threadOf(other)];
    expect([await threadOf(one), await threadOf(other)]).toEqual(first);
  });

  it('a thread at work finishes its tasks, those that wait for it included', async () => {
    const shared = createThreadMemory(() => true);
    const [one, other] = [createThread(shared), createThread(shared)];
    const first = await threadOf(one);
    const running = [threadOf(one, 200), threadOf(one, 100)];
    await threadOf(other);
    expect(await Promise.all(running)).toEqual([first, first]);
  });

  it('threads that start at once both work', async () => {
    const shared = createThreadMemory(() => true);
    const threads = [createThread(shared), createThread(shared), createThread(shared)];
    const ids = await Promise.all(threads.map((thread) => threadOf(thread, 20)));
    expect(new Set(ids).size).toBe(3);
  });
});

it('a thread whose file fails to start is an error of its task alone, and the next task starts another one', async () => {
  const failing = join(folder, 'failing.mjs');
  await writeFile(failing, 'setTimeout(() => { throw new Error("not ready"); }, 10);');
  const options = { file: pathToFileURL(failing), memory, onError: () => undefined };
  const thread = createTaskThread<number, number>(options);
  await expect(thread.run(0, msMax)).rejects.toThrow('not ready');
  await expect(thread.run(0, msMax)).rejects.toThrow('not ready');
});

it('a thread that does not return is ended in time, and the tasks behind it run in another one', async () => {
  const endless = join(folder, 'endless.mjs');
  await writeFile(
    endless,
    `import { parentPort, threadId } from 'node:worker_threads';
     parentPort.on('message', (isEndless) => {
       while (isEndless) {}
       parentPort.postMessage(threadId);
     });
     parentPort.postMessage('ready');`,
  );
  const options = { file: pathToFileURL(endless), memory, onError: () => undefined };
  const thread = createTaskThread<boolean, number>(options);
  const { output: first } = await thread.run(false, msMax);
  const hanging = thread.run(true, 50);
  const behind = thread.run(false, msMax);
  await expect(hanging).rejects.toThrow('aborted');
  expect((await behind).output).not.toBe(first);
});
