import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { trimWhenUnused } from '../src/trim-when-unused.ts';

const server = createServer((_req, res) => void res.end());
let trims: number;

const decideAfterAsking = async (...paths: string[]) => {
  const { port } = server.address() as AddressInfo;
  const decided = Promise.withResolvers<void>();
  // Decides when it is told to: what was asked has been answered by then.
  trimWhenUnused(server, {
    trim: () => (trims += 1),
    later: (decide) => void decided.promise.then(decide),
  });
  for (const path of paths) {
    await fetch(`http://127.0.0.1:${port}${path}`);
  }
  decided.resolve();
  await sleep(0);
};

beforeEach(async () => {
  trims = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(() => {
  server.close();
  server.closeAllConnections();
});

test('a process that nobody has asked for anything gives back what starting took', async () => {
  await decideAfterAsking();
  expect(trims).toBe(1);
});

test('probes are no use of it', async () => {
  await decideAfterAsking('/healthz', '/readyz');
  expect(trims).toBe(1);
});

test('a process in use keeps the shapes of its objects, and listens no more', async () => {
  await decideAfterAsking('/readyz', '/api/notes');
  expect(trims).toBe(0);
  expect(server.listenerCount('request')).toBe(1);
});
