import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { findFreePort } from '@commonplace/embedded-postgres';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startNginx, type Nginx } from '../src/nginx.ts';

/** nginx with infra/nginx/commonplace.conf in front of two gateways that do as a test says, and of one that is gone. */
const hostName = 'commonplace.test';
const requestsPerAddress = 3;
let gateways: Server[];
let nginx: Nginx;
let httpsPort: number;
/** What arrived at a gateway. */
let arrived: string[] = [];
let respond: RequestListener;

beforeAll(async () => {
  gateways = [await startGateway(), await startGateway()];
  httpsPort = await findFreePort();
  const ports = [
    ...gateways.map((each) => (each.address() as AddressInfo).port),
    await findFreePort(),
  ];
  const gatewayUrls = ports.map((port) => `http://127.0.0.1:${port}`);
  nginx = await startNginx({ httpsPort, hostName, gatewayUrls, requestsPerAddress });
});
afterEach(() => {
  arrived = [];
});
afterAll(async () => {
  await nginx?.stop();
  gateways.forEach((each) => each.close());
});

const startGateway = async (): Promise<Server> => {
  const server = createServer((req, res) => {
    arrived.push(`${req.method} ${req.url}`);
    respond(req, res);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
};

type Sent = { readonly method: string; readonly from?: string };

/** Starts a request without the end of its body. */
const begin = (path: string, { method, from = '127.0.0.1' }: Sent) => {
  const req = request({
    host: '127.0.0.1',
    port: httpsPort,
    path,
    method,
    servername: hostName,
    ca: nginx.certificate,
    localAddress: from,
    agent: false,
    headers: { host: hostName, 'content-length': 1_000_000 },
  });
  req.on('error', () => undefined);
  req.write('x'.repeat(20_000));
  const response = once(req, 'response').then(([res]) => (res as IncomingMessage).resume());
  response.catch(() => undefined);
  return { req, response };
};

const statusOf = async (path: string, sent: Sent): Promise<number | undefined> => {
  const { req, response } = begin(path, sent);
  req.end('x'.repeat(980_000));
  return (await response).statusCode;
};

describe('a request with a body', () => {
  it('reaches a gateway before its end, and its client the response', async () => {
    respond = (_, res) => res.writeHead(401).end();
    const { req, response } = begin('/withheld', { method: 'POST' });
    expect((await response).statusCode).toBe(401);
    req.destroy();
  });

  it('is not sent to a second gateway when the first is lost, which may have carried it out', async () => {
    respond = (req) => req.resume().once('end', () => req.socket.destroy());
    expect(await statusOf('/lost', { method: 'PUT' })).toBe(502);
    expect(arrived).toEqual(['PUT /lost']);
  });

  it('goes to another gateway where one accepts no connection', async () => {
    respond = (req, res) => req.resume().once('end', () => res.writeHead(204).end());
    const statuses = [];
    for (let round = 0; round < 6; round += 1) {
      statuses.push(await statusOf('/another', { method: 'PUT' }));
    }
    expect(statuses).toEqual(Array.from({ length: 6 }, () => 204));
    expect(arrived).toHaveLength(6);
  });
});

describe('an address', () => {
  it('has as many requests at a time as it may, and disturbs no other address', async () => {
    let onArrival = () => {};
    const allHeld = new Promise<void>((resolve) => {
      onArrival = () => arrived.length === requestsPerAddress && resolve();
    });
    respond = () => onArrival();
    const held = Array.from({ length: requestsPerAddress }, () =>
      begin('/held', { method: 'POST' }),
    );
    await allHeld;
    respond = (req, res) => req.resume().once('end', () => res.writeHead(204).end());
    const refused = await begin('/beyond', { method: 'POST' }).response;
    expect(refused).toMatchObject({
      statusCode: 429,
      headers: { 'content-type': 'application/problem+json', 'retry-after': '1' },
    });
    expect(await statusOf('/other', { method: 'POST', from: '127.0.0.9' })).toBe(204);
    expect(arrived).not.toContain('POST /beyond');
    held.forEach(({ req }) => req.destroy());
  });
});
