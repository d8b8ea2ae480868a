import { connect, type Socket } from 'node:net';

export type StressOptions = {
  readonly url: string;
  readonly key: string;
  readonly clients: number;
  /** Pages of 500 notes that each client requests at once. */
  readonly pages: number;
};

const open = (url: string): Socket => {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined);
  return socket;
};

/** Clients that pipeline requests for large pages and read no response. */
export const openSlowReaders = ({ url, key, clients, pages }: StressOptions): Socket[] =>
  Array.from({ length: clients }, () => {
    const socket = open(url).pause();
    const body = '{"limit":500}';
    const request =
      `POST /api/sync HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    socket.write(request.repeat(pages));
    return socket;
  });

/** Idle connections. */
export const openConnections = (url: string, count: number): Socket[] =>
  Array.from({ length: count }, () => open(url));
