import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '@commonplace/testkit';

const chunk = Buffer.alloc(1024 * 1024, 'x');

/** What a broken or malicious collector responds. */
const responses = {
  nonsense: (res: ServerResponse) => void res.writeHead(200).end(chunk.subarray(0, 1_000)),
  trickle: (res: ServerResponse) => {
    res.writeHead(200);
    const timer = setInterval(() => res.write('x'), 50);
    res.once('close', () => clearInterval(timer));
  },
  flood: (res: ServerResponse) => {
    res.writeHead(200);
    const write = (): void => {
      while (!res.destroyed && res.write(chunk)) {
        // Until the other side stops to read.
      }
      if (!res.destroyed) {
        res.once('drain', write);
      }
    };
    write();
  },
  redirect: (res: ServerResponse) => void res.writeHead(307, { Location: '/v1/traces' }).end(),
} as const;

/** Starts a collector that never accepts spans as it should. */
export const startHostileCollector = async (kind: keyof typeof responses) => {
  const received = { requests: 0 };
  const server = createServer((req, res) => {
    received.requests += 1;
    req.resume();
    res.on('error', () => undefined);
    responses[kind](res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Resolves when it has received so many requests. */
    requested: (count: number) => until(() => received.requests >= count),
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
