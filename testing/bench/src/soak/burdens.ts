import { connect, type Socket } from 'node:net';

export type Burden = {
  readonly url: string;
  readonly key: string;
  readonly clients: number;
  /** How many pages of 500 notes each asks for, all at once. */
  readonly pages: number;
};

const open = (url: string): Socket => {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined);
  return socket;
};

/** Clients that ask for much, all in one breath, and read nothing of it. */
export const openSlowReaders = ({ url, key, clients, pages }: Burden): Socket[] =>
  Array.from({ length: clients }, () => {
    const socket = open(url).pause();
    const body = '{"limit":500}';
    const request =
      `POST /api/sync HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    socket.write(request.repeat(pages));
    return socket;
  });

/** Connections that say nothing. */
export const openConnections = (url: string, count: number): Socket[] =>
  Array.from({ length: count }, () => open(url));
