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
  const headers = { 'content-type': 'text/event-stream' };
  const openStream = (res: ServerResponse) => {
    res.writeHead(200, headers).flushHeaders();
  };

  /** Watches until a request that `isLast` says; returns what was requested and reported. */
  const watch = async (
    silenceMsMax: number,
    respond: (res: ServerResponse) => void,
    isLast: (requests: readonly string[]) => boolean,
  ) => {
    const stop = new AbortController();
    const requests: string[] = [];
    const reports: string[] = [];
    const baseUrl = await listen((req, res) => {
      const isStream = req.headers.accept?.includes('text/event-stream') === true;
      requests.push(isStream ? 'stream' : 'poll');
      if (isLast(requests)) {
        stop.abort();
      } else if (isStream) {
        respond(res);
      } else {
        res.writeHead(200, { 'content-type': 'application/json' });
        res.end(JSON.stringify({ head: requests.length, changed: true }));
      }
    });
    await watchHeads({
      api: createClient({ baseUrl }),
      signal: stop.signal,
      silenceMsMax,
      onHead: (head) => reports.push(`head ${head}`),
      onError: (error) => reports.push(String(error)),
      onRecovery: () => reports.push('recovery'),
    });
    return { requests, reports };
  };
  const isSecondStream = (requests: readonly string[]) =>
    requests.lastIndexOf('stream') > requests.indexOf('stream');

  it('after its headers is followed by long polls', async () => {
    const { requests, reports } = await watch(2_000, openStream, ({ length }) => length === 5);
    expect(requests).toEqual(['stream', 'poll', 'poll', 'poll', 'poll']);
    expect(reports).toEqual(['head 2', 'head 3', 'head 4']);
  });

  it('after its headers is tried again later', async () => {
    const { requests } = await watch(100, openStream, isSecondStream);
    expect(requests.at(-1)).toBe('stream');
  });

  it.each([
    ['sends nothing', () => undefined],
    [
      'is unavailable',
      (res: ServerResponse) => {
        res.writeHead(503, { 'retry-after': '20' }).end();
      },
    ],
  ])('because the server %s is an outage, not one of a proxy', async (_, respond) => {
    const { requests, reports } = await watch(2_000, respond, isSecondStream);
    expect(requests).toEqual(['stream', 'poll', 'stream']);
    const error = 'TimeoutError: Nothing was received for 2 s';
    expect(reports).toEqual([error, 'recovery', 'head 2']);
  });

  it('after its first event is opened again, because its connection is broken', async () => {
    const change = 'id: 3\nevent: change\ndata: {"head":3}\n\n';
    const sendEvent = (res: ServerResponse) => {
      res.writeHead(200, headers).write(change);
    };
    const { requests, reports } = await watch(2_000, sendEvent, isSecondStream);
    expect(requests).toEqual(['stream', 'stream']);
    expect(reports).toEqual(['head 3']);
  });
});
