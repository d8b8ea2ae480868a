import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { createClient, watchHeads } from '../src/index.ts';

let server: Server | undefined;
afterEach(async () => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

const listen = async (answer: RequestListener): Promise<string> => {
  server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

it('a feed that ends at once without an event is asked again after growing pauses', async () => {
  const stop = new AbortController();
  const seenAtMs: number[] = [];
  const baseUrl = await listen((req, res) => {
    seenAtMs.push(performance.now());
    const isStream = req.headers.accept?.includes('text/event-stream');
    if (isStream) {
      res.writeHead(200, { 'content-type': 'text/event-stream' }).end(':\n\n');
    } else {
      res.writeHead(200, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ head: 7, changed: false }));
    }
    if (seenAtMs.length === 5) {
      stop.abort();
    }
  });
  const heads: number[] = [];
  await watchHeads({
    api: createClient({ baseUrl }),
    signal: stop.signal,
    onHead: (head) => heads.push(head),
  });
  // Each pause is half of its step at least, and timers are never early: this can only take longer.
  const pauses = seenAtMs.slice(1).map((ms, index) => ms - (seenAtMs[index] ?? 0));
  const shortest = [250, 125, 250, 500];
  expect(pauses.map((ms, index) => ms > (shortest[index] ?? 0) - 5)).toEqual(
    pauses.map(() => true),
  );
  expect(heads).toEqual([7]);
});

it('a feed that breaks off tells its trouble once, and when it is open again', async () => {
  const stop = new AbortController();
  const told: string[] = [];
  let count = 0;
  const baseUrl = await listen((_, res) => {
    count += 1;
    if (count <= 2) {
      res.destroy();
      return;
    }
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.write('id: 3\nevent: change\ndata: {"head":3}\n\n');
  });
  await watchHeads({
    api: createClient({ baseUrl, retry: { attempts: 1 } }),
    signal: stop.signal,
    onTrouble: () => told.push('trouble'),
    onRecovery: () => told.push('open again'),
    onHead: (head) => {
      told.push(`head ${head}`);
      stop.abort();
    },
  });
  expect(told).toEqual(['trouble', 'open again', 'head 3']);
});
