import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { makeApiKey } from '@commonplace/identity';

/** A request that arrived. */
export type StubRequest = { readonly method: string; readonly path: string; readonly body: string };

/** What it gets; null: nothing, as of a server that does not respond. */
export type StubResponse = {
  readonly status: number;
  readonly type: string;
  readonly body: string;
} | null;

/** A server with responses of a test, for what the real one does not send or not quickly. */
export type StubServer = {
  /** The variables of a program that calls it as an agent. */
  readonly env: Readonly<Record<string, string>>;
  readonly requests: readonly StubRequest[];
  readonly stop: () => Promise<void>;
};

/** A response with a value as JSON. */
export const asJson = (value: unknown, status = 200): StubResponse => ({
  status,
  type: status < 400 ? 'application/json' : 'application/problem+json',
  body: JSON.stringify(value),
});

/** Starts one. */
export const startStubServer = async (
  respond: (request: StubRequest) => StubResponse,
): Promise<StubServer> => {
  const requests: StubRequest[] = [];
  const server = createServer((req, res) => {
    void readAll(req).then((body) => {
      const request = { method: req.method ?? '', path: req.url ?? '', body };
      requests.push(request);
      const response = respond(request);
      if (response !== null) {
        res.writeHead(response.status, { 'Content-Type': response.type }).end(response.body);
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    env: { COMMONPLACE_URL: `http://127.0.0.1:${port}`, COMMONPLACE_API_KEY: makeApiKey() },
    requests,
    stop: async () => {
      server.close().closeAllConnections();
      await once(server, 'close');
    },
  };
};
