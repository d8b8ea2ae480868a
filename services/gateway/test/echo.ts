import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** What an upstream saw of a request. */
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
 * Answers with what arrived. `?behave=` makes it misbehave: hang before the headers, cut the
 * connection before or amid the answer, speak no HTTP, be slow, or stream without end.
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
    res.setHeader('X-Powered-By', 'somebody');
    res.setHeader('Server', 'something');
    res.setHeader('X-Gateway-Identity', 'leaked');
    res.setHeader('X-Request-Id', 'of the service');
    const { method, url, headers, rawHeaders, trailers } = req;
    const body = Buffer.concat(chunks).toString();
    res.end(JSON.stringify({ service, method, url, headers, rawHeaders, trailers, body }));
  };

const behaviours: Readonly<Record<string, (res: ServerResponse) => Promise<void> | void>> = {
  hang: () => undefined,
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
  slow: async (res) => {
    await sleep(100);
    res.end('{}');
  },
};
