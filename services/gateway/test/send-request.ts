import { request, type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { testIdentity } from '@commonplace/testkit';
import type { Echo } from './echo.ts';

export type Asked = {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
  readonly agent?: Agent;
};

export type Answered = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
};

/** Sends a request with exactly these headers; a connection of its own unless an agent is given. */
export const ask = (port: number, path: string, asked: Asked = {}): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body, agent } = asked;
    const sent = request({ port, path, method, headers, host: '127.0.0.1', agent: agent ?? false });
    sent.on('response', (res) => {
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
    sent.on('error', reject);
    sent.end(body);
  });

/** What an upstream saw, from its echo. */
export const echoOf = ({ text }: Answered): Echo => JSON.parse(text) as Echo;

/** Status and code of a problem. */
export const problemOf = ({ status, text }: Answered): readonly [number, string] => [
  status,
  (JSON.parse(text) as { code: string }).code,
];

/** The caller that an upstream was told of, after verifying the identity as a service does. */
export const callerOf = (answered: Answered) =>
  testIdentity.verifyIdentity(echoOf(answered).headers['x-gateway-identity'] ?? '')?.caller;

/** Sends bytes as they are and gives back all that comes until the other side closes. */
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
