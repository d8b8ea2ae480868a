import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { trimWhenUnused } from '../src/trim-when-unused.ts';

const server = createServer((_req, res) => void res.end());
let trims: number;

type Use = { readonly paths?: readonly string[]; readonly hasWorked?: () => boolean };

const decideAfter = async ({ paths = [], hasWorked }: Use) => {
  const { port } = server.address() as AddressInfo;
  let decide: () => void = () => undefined;
  trimWhenUnused(server, {
    hasWorked,
    trim: () => (trims += 1),
    later: (run) => (decide = run),
  });
  for (const path of paths) {
    await fetch(`http://127.0.0.1:${port}${path}`);
  }
  decide();
};

beforeEach(async () => {
  trims = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('a process that nobody has asked for anything gives back what starting took', async () => {
  await decideAfter({});
  expect(trims).toBe(1);
});

test('probes are no use of it', async () => {
  await decideAfter({ paths: ['/healthz', '/readyz'] });
  expect(trims).toBe(1);
});

test('a process in use keeps the shapes of its objects, and listens no more', async () => {
  await decideAfter({ paths: ['/readyz', '/api/notes'] });
  expect(trims).toBe(0);
  expect(server.listenerCount('request')).toBe(1);
});

test('nor does one give anything back that has worked on its own', async () => {
  await decideAfter({ hasWorked: () => true });
  expect(trims).toBe(0);
});
