import { Agent, get } from 'node:http';
import { collector } from '../src/runtime/trim-memory.ts';
import { createLog, serve } from '../src/index.ts';
import { exampleApp } from './example-app.ts';

/**
 * A process of its own, because a test runner fills the heap as it likes: prints how many bytes a request
 * leaves behind that collections of the young generation do not free. It is the median of windows, so that it does
 * not matter when V8 collects everything in one of them.
 */
const collect = collector();
const requestsAtOnce = 32;
const windows = 11;
const requestsInWindow = 500;
const requestsACollection = 50;

const app = exampleApp();
const running = await serve({
  // Requests take a moment, so that they overlap as those that wait for a database do.
  app: (req, res) => void setTimeout(() => app(req, res), 2),
  host: '127.0.0.1',
  port: 0,
  log: createLog('notes', 'fatal'),
});
const agent = new Agent({ keepAlive: true });
const send = () =>
  new Promise<void>((resolve, reject) => {
    const url = `http://127.0.0.1:${running.port}/api/examples/open`;
    get(url, { agent }, (res) => res.resume().once('end', resolve)).once('error', reject);
  });

const usedAt: number[] = [];
let sentCount = 0;
const sendRepeatedly = async () => {
  while (usedAt.length <= windows) {
    sentCount += 1;
    const requestNo = sentCount;
    await send();
    if (requestNo % requestsACollection === 0) {
      collect({ type: 'minor', execution: 'sync' });
    }
    if (requestNo % requestsInWindow === 0) {
      usedAt.push(process.memoryUsage().heapUsed);
    }
  }
};
await Promise.all(Array.from({ length: requestsAtOnce }, sendRepeatedly));
const left = usedAt
  .slice(1)
  .map((used, index) => (used - (usedAt[index] ?? 0)) / requestsInWindow)
  .toSorted((a, b) => a - b);
process.stdout.write(String(Math.round(left[Math.floor(left.length / 2)] ?? Number.NaN)));
process.exit(0);
