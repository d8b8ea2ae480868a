import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { publicRoutes } from '@commonplace/contracts';

/** What a service received. */
export type Echo = {
  readonly service: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly rawHeaders: readonly string[];
  readonly trailers: Readonly<Record<string, string>>;
  readonly body: string;
};

/**
 * Responds with what it received. `?behave=` selects another behaviour: hang before the headers, cut the
 * connection before or in the middle of the response, speak no HTTP, be slow, stream without end, or send
 * bytes of many kinds.
 */
export const echoAs =
  (service: string) =>
  async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const behaviour = new URL(req.url ?? '/', 'http://echo').searchParams.get('behave') ?? '';
    const misbehave = behaviours[behaviour];
    if (misbehave) {
      await misbehave(res);
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of req) {
      chunks.push(chunk as Buffer);
    }
    res.setHeader('Content-Type', 'application/json');
    res.setHeader('Set-Cookie', 'from-service=1');
    res.setHeader('X-Powered-By', 'a framework');
    res.setHeader('Server', 'something');
    res.setHeader('X-Gateway-Identity', 'leaked');
    res.setHeader('X-Request-Id', 'set by the service');
    const { method, url, headers, rawHeaders, trailers } = req;
    const body = Buffer.concat(chunks).toString();
    res.end(JSON.stringify({ service, method, url, headers, rawHeaders, trailers, body }));
  };

/** The headers of responses that contracts name. Only the auth service may set cookies. */
export const declaredResponseHeaders: readonly string[] = [
  ...new Set(
    publicRoutes.flatMap(({ responses }) =>
      Object.values(responses).flatMap(({ headers = {} }) => Object.keys(headers)),
    ),
  ),
].filter((name) => name !== 'Set-Cookie');

/** All 256 byte values, repeated. */
export const bytesOf = (times: number): Buffer =>
  Buffer.alloc(
    256 * times,
    Uint8Array.from({ length: 256 }, (_, byte) => byte),
  );

/** More than the buffers between a service and a client hold. */
export const floodBytes = 64 * 1_024_000;

/** Whether the last flood was read to its end. */
export const floodState = { isOver: false };

const behaviours: Readonly<Record<string, (res: ServerResponse) => Promise<void> | void>> = {
  hang: () => undefined,
  'reject-unread': (res) => void res.writeHead(413, { 'Content-Length': '2' }).end('{}'),
  cut: (res) => void res.socket?.destroy(),
  'cut-amid': async (res) => {
    res.writeHead(200, { 'Content-Length': '1000' });
    res.write('only the beginning');
    await sleep(50);
    res.socket?.destroy();
  },
  'cut-amid-chunks': async (res) => {
    res.write('{"changes":[');
    await sleep(50);
    res.destroy();
  },
  garble: (res) => void res.socket?.end('this is not HTTP at all\r\n\r\n'),
  drip: async (res) => {
    res.writeHead(200);
    while (!res.destroyed) {
      res.write('.');
      await sleep(20);
    }
  },
  bytes: (res) => void res.setHeader('Content-Length', 2_560).end(bytesOf(10)),
  'many-bytes': (res) => void res.setHeader('Content-Length', 512_000).end(bytesOf(2_000)),
  pieces: async (res) => {
    for (let piece = 0; piece < 10; piece += 1) {
      res.write(bytesOf(1));
      await sleep(5);
    }
    res.end();
  },
  // Every header that a contract names, as its own name.
  'declared-headers': (res) => {
    for (const name of declaredResponseHeaders) {
      res.setHeader(name, `value of ${name}`);
    }
    res.end('{}');
  },
  // Node reads such a file name but does not write it after a Content-Length.
  unwritable: (res) => {
    res.setHeader('Content-Length', 2);
    res.setHeader('Content-Disposition', 'attachment; filename="\u00e9"');
    res.end('{}');
  },
  'no-content': (res) => void res.writeHead(204).end(),
  'not-modified': (res) => void res.writeHead(304, { ETag: '"1"' }).end(),
  flood: (res) =>
    pipeline(function* () {
      for (let count = 0; count < floodBytes; count += bytesOf(4_000).length) {
        yield bytesOf(4_000);
      }
      floodState.isOver = true;
    }, res),
  slow: async (res) => {
    await sleep(100);
    res.end('{}');
  },
};
