import { request, type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { testIdentity } from '@commonplace/testkit';
import type { Echo } from './echo.ts';

export type RequestOptions = {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
  readonly agent?: Agent;
};

export type ReceivedResponse = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
};

/** Sends a request with exactly these headers, on a new connection unless an agent is given. */
export const sendRequest = (
  port: number,
  path: string,
  options: RequestOptions = {},
): Promise<ReceivedResponse> =>
  new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body, agent } = options;
    const req = request({ port, path, method, headers, host: '127.0.0.1', agent: agent ?? false });
    req.on('response', (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('error', reject);
      res.on('end', () =>
        resolve({
          status: res.statusCode ?? 0,
          headers: res.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    req.on('error', reject);
    req.end(body);
  });

/** What a service received, from its echo. */
export const echoOf = ({ text }: ReceivedResponse): Echo => JSON.parse(text) as Echo;

/** Status and code of a problem. */
export const problemOf = ({ status, text }: ReceivedResponse): readonly [number, string] => [
  status,
  (JSON.parse(text) as { code: string }).code,
];

/** The caller of the identity that a service received, verified as a service does. */
export const callerOf = (received: ReceivedResponse) =>
  testIdentity.verifyIdentity(echoOf(received).headers['x-gateway-identity'] ?? '')?.caller;

/** Sends raw bytes and returns all that is received until the other side closes. */
export const sendRaw = (port: number, bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
  });
