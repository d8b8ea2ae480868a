import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createCounters } from '../src/observability/counters.ts';
import { ask } from './send-request.ts';
import { giveKey, startWorld, type World } from './world.ts';

let world: World;
const clients: Socket[] = [];

afterEach(async () => {
  clients.splice(0).forEach((client) => client.destroy());
  await world.stop();
});

/** Sends requests and reads nothing. */
const deafClient = (bytes: string): Socket => {
  const client = connect(world.port, '127.0.0.1').pause();
  client.on('error', () => undefined);
  client.write(bytes);
  clients.push(client);
  return client;
};

const requestOf = (path: string, ...lines: readonly string[]): string =>
  `${[`GET ${path} HTTP/1.1`, 'Host: a', ...lines].join('\r\n')}\r\n\r\n`;

const eventually = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) {
    await new Promise((resolve) => setImmediate(resolve));
  }
};

describe('clients that send requests and read nothing', () => {
  it('have no more waiting for them in this process than two pieces each, whatever they asked for', async () => {
    world = await startWorld();
    const sockets: Socket[] = [];
    const responses: ServerResponse[] = [];
    world.server.on('connection', (socket: Socket) => sockets.push(socket));
    world.server.on('request', (_req, res) => responses.push(res));
    const { bytes } = await sizeOf('/api/openapi.json');
    sockets.length = 0;
    for (let index = 0; index < 20; index += 1) {
      deafClient(requestOf('/api/openapi.json').repeat(20));
    }
    // The kernel takes some of it. Then all are stuck.
    await eventually(
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
  ])('are cut when their time is up: %s', async (_what, path) => {
    const counters = createCounters();
    world = await startWorld({}, { counters, limits: { unreadMaxMs: 500 } });
    const { bearer } = giveKey(world.knowledge);
    const ended = once(world.server, 'connection').then(([socket]) =>
      once(socket as Socket, 'close'),
    );
    deafClient(requestOf(path, `Authorization: ${bearer}`).repeat(20));
    await ended;
    expect(counters.unread).toBe(1);
  });
});

describe('clients that read', () => {
  it('are left alone, though they were quiet for longer or stream without end', async () => {
    const counters = createCounters();
    world = await startWorld({}, { counters, limits: { unreadMaxMs: 200 } });
    const { bearer } = giveKey(world.knowledge);
    const idle = deafClient(requestOf('/healthz'));
    const stream = deafClient(
      requestOf('/api/things/feed?behave=drip', `Authorization: ${bearer}`),
    );
    let streamed = '';
    stream.on('data', (chunk) => (streamed += String(chunk))).resume();
    deafClient(requestOf('/api/openapi.json').repeat(20));
    // One that does not read is cut meanwhile: the others had as much time.
    await eventually(() => counters.unread === 1);
    expect([idle.destroyed, stream.destroyed]).toEqual([false, false]);
    expect(streamed).toContain('HTTP/1.1 200');
    expect((await sizeOf('/api/openapi.json')).status).toBe(200);
  });
});

const sizeOf = async (path: string) => {
  const { status, text } = await ask(world.port, path);
  return { status, bytes: Buffer.byteLength(text) };
};
