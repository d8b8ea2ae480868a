import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createClient, watchHeads } from '../src/index.ts';

let server: Server | undefined;
afterEach(async () => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

const listen = async (handler: RequestListener): Promise<string> => {
  server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

it('a feed that ends at once without an event is reopened after increasing delays', async () => {
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
  // Each delay is at least half of its step, and timers are never early, so delays can only be longer.
  const pauses = seenAtMs.slice(1).map((ms, index) => ms - (seenAtMs[index] ?? 0));
  const shortest = [250, 125, 250, 500];
  expect(pauses.map((ms, index) => ms > (shortest[index] ?? 0) - 5)).toEqual(
    pauses.map(() => true),
  );
  expect(heads).toEqual([7]);
});

it('a broken feed reports its error once, and then its recovery', async () => {
  const stop = new AbortController();
  const events: string[] = [];
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
    onError: () => events.push('error'),
    onRecovery: () => events.push('recovery'),
    onHead: (head) => {
      events.push(`head ${head}`);
      stop.abort();
    },
  });
  expect(events).toEqual(['error', 'recovery', 'head 3']);
});

describe('a stream that is silent', () => {
  /** Watches until the second request for a stream; returns what was requested and reported. */
  const watch = async (openStream: (res: ServerResponse) => void) => {
    const stop = new AbortController();
    const requests: string[] = [];
    const reports: string[] = [];
    const baseUrl = await listen((req, res) => {
      const isStream = req.headers.accept?.includes('text/event-stream') === true;
      const isLast = isStream && requests.includes('stream');
      requests.push(isStream ? 'stream' : 'poll');
      if (isLast) {
        stop.abort();
      } else if (isStream) {
        openStream(res);
      } else {
        res.writeHead(200, { 'content-type': 'application/json' });
        res.end(JSON.stringify({ head: requests.length, changed: true }));
      }
    });
    await watchHeads({
      api: createClient({ baseUrl }),
      signal: stop.signal,
      silenceMsMax: 100,
      onHead: (head) => reports.push(`head ${head}`),
      onError: (error) => reports.push(String(error)),
    });
    return { requests, reports };
  };
  const headers = { 'content-type': 'text/event-stream' };

  it.each([
    ['its headers', (res: ServerResponse) => res.writeHead(200, headers).flushHeaders()],
    ['nothing', () => undefined],
  ])('and had %s is followed by long polls, and tried again later', async (_, openStream) => {
    const { requests, reports } = await watch(openStream);
    const polls = requests.slice(1, -1);
    expect(polls.length).toBeGreaterThan(2);
    expect(new Set(polls)).toEqual(new Set(['poll']));
    expect(reports).toEqual(polls.map((_, index) => `head ${index + 2}`));
  });

  it('after its first event is opened again, because its connection is broken', async () => {
    const { requests, reports } = await watch((res) =>
      res.writeHead(200, headers).write('id: 3\nevent: change\ndata: {"head":3}\n\n'),
    );
    expect(requests).toEqual(['stream', 'stream']);
    expect(reports).toEqual(['head 3']);
  });
});
