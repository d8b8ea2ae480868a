import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import type { Send } from './connect-by-script.ts';

type TlsServer = {
  readonly port: number;
  /** The name of the certificate, which resolves to nothing. */
  readonly hostName: string;
  /** The certificate, if it is its own authority. */
  readonly ca: string;
};

/** Sends to a proxy on this machine that ends TLS. */
export const sendOverTls =
  ({ port, hostName, ca }: TlsServer): Send =>
  async (path, { method = 'GET', headers, body } = {}) => {
    const req = request({
      host: '127.0.0.1',
      port,
      path,
      servername: hostName,
      ca,
      method,
      headers: { host: `${hostName}:${port}`, ...headers },
    });
    req.end(body);
    const [res] = (await once(req, 'response')) as [IncomingMessage];
    const received = Object.entries(res.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((each): [string, string] => [name, each]),
    );
    return {
      status: res.statusCode ?? 0,
      headers: new Headers(received),
      text: await text(res),
    };
  };
