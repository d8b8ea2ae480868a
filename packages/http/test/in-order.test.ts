import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createLog, pipelinedMax, serve, type RunningServer } from '../src/core.ts';

let running: RunningServer;
/** Requests that were handled, by method and target. */
let handled: string[];

const start = async (handle: RequestListener): Promise<void> => {
  handled = [];
  running = await serve({
    app: (req, res) => {
      handled.push(`${req.method} ${req.url}`);
      handle(req, res);
    },
    host: '127.0.0.1',
    port: 0,
    log: createLog('test', 'silent'),
  });
};

afterEach(() => {
  running.server.close();
  running.server.closeAllConnections();
});

const requestOf = (target: string, ...lines: readonly string[]): string =>
  `${[`GET ${target} HTTP/1.1`, 'Host: a', ...lines].join('\r\n')}\r\n\r\n`;

/** Sends bytes in one packet and reads until the server closes. */
const sendAll = async (bytes: string): Promise<string> => {
  const socket = connect(running.port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => (received += String(chunk)));
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  return received;
};

const bodiesIn = (received: string): string[] =>
  [...received.matchAll(/\r\n\r\n(\/[a-z]*\d*)/g)].map(([, body]) => body ?? '');

describe('requests that come together on one connection', () => {
  it('are handled one after another: none begins before the response to the one before is out', async () => {
    let openCount = 0;
    const seen: number[] = [];
    await start((req, res) => {
      openCount += 1;
      seen.push(openCount);
      res.once('finish', () => (openCount -= 1));
      setImmediate(() => res.end(req.url));
    });
    const targets = Array.from({ length: pipelinedMax }, (_, index) => `/n${index}`);
    const all = targets.map((target) => requestOf(target)).join('');
    const received = await sendAll(all + requestOf('/last', 'Connection: close'));
    expect(bodiesIn(received)).toEqual([...targets, '/last']);
    expect(new Set(seen)).toEqual(new Set([1]));
  });

  it('have their bodies, also those that are longer than what waits', async () => {
    await start((req, res) => {
      let bytes = 0;
      req.on('data', (chunk: Buffer) => (bytes += chunk.length));
      req.on('end', () => res.end(`/${bytes}`));
    });
    const body = 'x'.repeat(300_000);
    const post = `POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const received = await sendAll(post + post + requestOf('/last', 'Connection: close'));
    expect(bodiesIn(received)).toEqual(['/300000', '/300000', '/0']);
  });

  it('are none of them handled after a response that closes the connection, however late it is', async () => {
    const closings: Record<string, RequestListener> = {
      'a header': (_req, res) => void res.setHeader('Connection', 'close').end('/x'),
      'a list of headers': (_req, res) =>
        void res.writeHead(200, ['Connection', 'close']).end('/x'),
      'a cut': (_req, res) => {
        res.write('half');
        setImmediate(() => res.destroy());
      },
      'the end of the socket': (req, res) => {
        req.socket.end();
        res.destroy();
      },
    };
    for (const [name, close] of Object.entries(closings)) {
      for (const isLate of [false, true]) {
        await start((req, res) => (isLate ? setImmediate(() => close(req, res)) : close(req, res)));
        await sendAll(requestOf('/first') + requestOf('/second') + requestOf('/third'));
        expect([name, isLate, handled]).toEqual([name, isLate, ['GET /first']]);
        running.server.close();
      }
    }
  });

  it('are bounded: more of them than may wait end the connection, and are not handled', async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await start((req, res) => void released.then(() => res.end(req.url)));
    const many = Array.from({ length: 1_000 }, (_, index) => requestOf(`/n${index}`));
    const received = await sendAll(many.join(''));
    release();
    expect([received, handled]).toEqual(['', ['GET /n0']]);
  });

  it('hold no more than what came in one packet: nothing is read while they wait', async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await start((req, res) => void released.then(() => res.end(req.url)));
    const arrived: string[] = [];
    running.server.prependListener('request', (req) => void arrived.push(req.url ?? ''));
    const socket = connect(running.port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => (received += String(chunk)));
    socket.write(requestOf('/a') + requestOf('/b'));
    await once(running.server, 'request');
    socket.write(requestOf('/c'));
    // The server has checked its sockets once it has responded to another client.
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await once(connect(running.port, '127.0.0.1').end(), 'close');
    }
    expect([arrived, handled]).toEqual([['/a', '/b'], ['GET /a']]);
    socket.write(requestOf('/d', 'Connection: close'));
    release();
    await once(socket, 'close');
    expect(bodiesIn(received)).toEqual(['/a', '/b', '/c', '/d']);
  });
});
