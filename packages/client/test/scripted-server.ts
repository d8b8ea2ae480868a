import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from '@jest/globals';
import { errorCodes, type ErrorCode } from '@commonplace/contracts';
import { assertDocumented } from '@commonplace/testkit';

/** What the server answers; `hang` never does, `drop` closes the connection instead, `cut` amid the body. */
export type ScriptedAnswer =
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

/** A running server, and the requests it has seen. */
export type ScriptedServer = {
  readonly baseUrl: string;
  readonly seen: readonly SeenRequest[];
  readonly stop: () => Promise<void>;
};

/**
 * Answers one request after the other from the script. An answer that the OpenAPI document does not
 * allow fails the test when the server is stopped.
 */
export const startScriptedServer = async (
  script: readonly ScriptedAnswer[],
): Promise<ScriptedServer> => {
  const seen: SeenRequest[] = [];
  const faults: unknown[] = [];
  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const { method = '', url = '' } = req;
    const body = await text(req);
    seen.push({ method, path: url, headers: req.headers, body: body && JSON.parse(body) });
    const answer = script[seen.length - 1] ?? problem('unexpected_failure');
    if (answer === 'drop') {
      req.socket.destroy();
    }
    if (answer === 'cut') {
      res.writeHead(200, { 'content-type': 'application/json' });
      res.write('{"changes":[', () => res.destroy());
    }
    if (answer === 'drop' || answer === 'hang' || answer === 'cut') {
      return;
    }
    const contentType = answer.status < 400 ? 'application/json' : 'application/problem+json';
    assertDocumented({ method, path: url, contentType, status: answer.status, body: answer.body });
    res.writeHead(answer.status, {
      'content-type': contentType,
      'x-request-id': 'request-1',
      ...answer.headers,
    });
    res.end(JSON.stringify(answer.body));
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

/** A problem as the gateway writes it. */
export const problem = (
  code: ErrorCode,
  headers: Readonly<Record<string, string>> = {},
): Exclude<ScriptedAnswer, string> => ({
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
