import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from '@jest/globals';
import { errorCodes, type ErrorCode } from '@commonplace/contracts';
import { assertDocumented } from '@commonplace/testkit';

/** A response. `hang` sends none, `drop` closes the connection, `cut` closes it in the middle of the body. */
export type ScriptedResponse =
  | {
      readonly status: number;
      readonly body: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | 'hang'
  | 'drop'
  | 'cut';

type SeenRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
};

/** A running server, and the requests it received. */
export type ScriptedServer = {
  readonly baseUrl: string;
  readonly seen: readonly SeenRequest[];
  readonly stop: () => Promise<void>;
};

/**
 * Responds to requests with the script, one after the other. A response that the OpenAPI document does not
 * allow fails the test when the server is stopped.
 */
export const startScriptedServer = async (
  script: readonly ScriptedResponse[],
): Promise<ScriptedServer> => {
  const seen: SeenRequest[] = [];
  const faults: unknown[] = [];
  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const { method = '', url = '' } = req;
    const body = await text(req);
    seen.push({ method, path: url, headers: req.headers, body: body && JSON.parse(body) });
    const response = script[seen.length - 1] ?? problem('unexpected_failure');
    if (response === 'drop') {
      req.socket.destroy();
    }
    if (response === 'cut') {
      res.writeHead(200, { 'content-type': 'application/json' });
      res.write('{"changes":[', () => res.destroy());
    }
    if (response === 'drop' || response === 'hang' || response === 'cut') {
      return;
    }
    const contentType = response.status < 400 ? 'application/json' : 'application/problem+json';
    assertDocumented({
      method,
      path: url,
      contentType,
      status: response.status,
      body: response.body,
    });
    res.writeHead(response.status, {
      'content-type': contentType,
      'x-request-id': 'request-1',
      ...response.headers,
    });
    res.end(JSON.stringify(response.body));
  };
  const server = createServer((req, res) => {
    handle(req, res).catch((fault: unknown) => {
      faults.push(fault);
      res.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      expect(faults).toEqual([]);
    },
  };
};

/** A problem response of the gateway. */
export const problem = (
  code: ErrorCode,
  headers: Readonly<Record<string, string>> = {},
): Exclude<ScriptedResponse, string> => ({
  status: errorCodes[code].status,
  headers,
  body: {
    type: 'about:blank',
    title: errorCodes[code].title,
    status: errorCodes[code].status,
    detail: errorCodes[code].title,
    code,
    requestId: 'request-1',
  },
});
