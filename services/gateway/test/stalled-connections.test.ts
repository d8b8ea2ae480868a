import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createCounters } from '../src/observability/counters.ts';
import { sendRequest } from './send-request.ts';
import { addKey, startGateway, type TestGateway } from './start-gateway.ts';

let gateway: TestGateway;
const clients: Socket[] = [];

afterEach(async () => {
  clients.splice(0).forEach((client) => client.destroy());
  await gateway.stop();
});

/** Sends requests and reads nothing. */
const stalledClient = (bytes: string): Socket => {
  const client = connect(gateway.port, '127.0.0.1').pause();
  client.on('error', () => undefined);
  client.write(bytes);
  clients.push(client);
  return client;
};

const requestOf = (path: string, ...lines: readonly string[]): string =>
  `${[`GET ${path} HTTP/1.1`, 'Host: a', ...lines].join('\r\n')}\r\n\r\n`;

const waitFor = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) {
    await new Promise((resolve) => setImmediate(resolve));
  }
};

describe('clients that send requests and read nothing', () => {
  it('have at most two pieces of 64 KiB each buffered in this process', async () => {
    gateway = await startGateway();
    const sockets: Socket[] = [];
    const responses: ServerResponse[] = [];
    gateway.server.on('connection', (socket: Socket) => sockets.push(socket));
    gateway.server.on('request', (_req, res) => responses.push(res));
    const { bytes } = await sizeOf('/api/openapi.json');
    sockets.length = 0;
    for (let index = 0; index < 20; index += 1) {
      stalledClient(requestOf('/api/openapi.json').repeat(20));
    }
    // The kernel buffers some of it. Then all connections are stalled.
    await waitFor(
      () => sockets.length === 20 && sockets.every(({ writableLength }) => writableLength > 0),
    );
    const waiting = sockets.map(
      (socket) =>
        socket.writableLength +
        responses
          .filter((res) => res.req.socket === socket && res.socket !== socket)
          .reduce((sum, { writableLength }) => sum + writableLength, 0),
    );
    expect(bytes).toBeGreaterThan(256 * 1024);
    expect(Math.max(...waiting)).toBeLessThanOrEqual(2 * 64 * 1024 + 4_096);
  });

  it.each([
    ['a document of the gateway', '/api/openapi.json'],
    ['a response of a service', '/api/things?behave=flood'],
    ['an event stream', '/api/things/feed?behave=flood'],
  ])('are disconnected after the timeout: %s', async (_what, path) => {
    const counters = createCounters();
    gateway = await startGateway({}, { counters, limits: { unreadMaxMs: 500 } });
    const { bearer } = addKey(gateway.data);
    const ended = once(gateway.server, 'connection').then(([socket]) =>
      once(socket as Socket, 'close'),
    );
    stalledClient(requestOf(path, `Authorization: ${bearer}`).repeat(20));
    await ended;
    expect(counters.unread).toBe(1);
  });
});

describe('clients that read', () => {
  it('stay connected, even when idle for longer or streaming without end', async () => {
    const counters = createCounters();
    gateway = await startGateway({}, { counters, limits: { unreadMaxMs: 200 } });
    const { bearer } = addKey(gateway.data);
    const idle = stalledClient(requestOf('/healthz'));
    const stream = stalledClient(
      requestOf('/api/things/feed?behave=drip', `Authorization: ${bearer}`),
    );
    let streamed = '';
    stream.on('data', (chunk) => (streamed += String(chunk))).resume();
    stalledClient(requestOf('/api/openapi.json').repeat(20));
    // A stalled client is disconnected meanwhile, so the others had as much time.
    await waitFor(() => counters.unread === 1);
    expect([idle.destroyed, stream.destroyed]).toEqual([false, false]);
    expect(streamed).toContain('HTTP/1.1 200');
    expect((await sizeOf('/api/openapi.json')).status).toBe(200);
  });
});

const sizeOf = async (path: string) => {
  const { status, text } = await sendRequest(gateway.port, path);
  return { status, bytes: Buffer.byteLength(text) };
};
