import { getHeapSpaceStatistics } from 'node:v8';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { limitYoungGenerationOfThreads } from '../src/index.ts';

/*
 * A process of its own, because the flag is of the command line: prints the bytes that the young generation of a thread
 * has taken after much short-lived data. The first argument is the limit of a semi-space in MB.
 */
const kept = 100_000;

if (isMainThread) {
  limitYoungGenerationOfThreads(Number(process.argv[2]));
  const worker = new Worker(new URL(import.meta.url));
  worker.once('message', (bytes: number) => process.stdout.write(String(bytes)));
} else {
  const ring: object[] = [];
  for (let index = 0; index < 100 * kept; index += 1) {
    ring[index % kept] = { index };
  }
  const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin.
  parentPort?.postMessage(young?.space_size);
}
