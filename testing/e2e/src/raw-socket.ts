import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** One response as received. */
export type RawResponse = {
  readonly status: number;
  /** Names in lower case; the last value of a repeated header. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type RawExchange = {
  readonly responses: readonly RawResponse[];
  /** Whether the gateway closed the connection; otherwise the test did, after the last response. */
  readonly isClosed: boolean;
};

type SendOptions = {
  /** Sent in sequence, with these pauses in between. */
  readonly pauseMs?: number;
  /** How long to wait for the gateway to close the connection. */
  readonly waitMs?: number;
  /** Methods of the requests, because responses to HEAD have no body. */
  readonly methods?: readonly string[];
};

/** Sends raw bytes to a gateway and reads every response. */
export const sendRaw = async (
  baseUrl: string,
  pieces: string | readonly string[],
  { pauseMs = 0, waitMs = 5_000, methods = [] }: SendOptions = {},
): Promise<RawExchange> => {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  const received = gather(socket);
  for (const piece of [pieces].flat()) {
    if (socket.destroyed) {
      break;
    }
    socket.write(piece, 'latin1');
    await sleep(pauseMs);
  }
  // The wait does not keep the process of the tests alive when the gateway was faster.
  const wait = sleep(waitMs, false, { ref: false });
  const isClosed = await Promise.race([received.closed.then(() => true), wait]);
  socket.destroy();
  return { responses: parseResponses(received.text(), methods), isClosed };
};

const gather = (socket: Socket) => {
  let text = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk) => {
    text += String(chunk);
  });
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
  });
  return { text: () => text, closed };
};

const bodyless = new Set([204, 304]);

/** Parses responses in order. Anything else is an error, so that nothing hides between two responses. */
const parseResponses = (text: string, methods: readonly string[]): RawResponse[] => {
  const responses: RawResponse[] = [];
  let rest = text;
  while (rest !== '') {
    const [head = '', ...after] = rest.split('\r\n\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
    if (Number.isNaN(status)) {
      throw new Error(`Not a response: ${JSON.stringify(rest.slice(0, 200))}`);
    }
    rest = after.join('\r\n\r\n');
    const headers = headersOf(head);
    const isBodyless = status < 200 || bodyless.has(status) || methods[responses.length] === 'HEAD';
    const [body, next] = isBodyless ? ['', rest] : takeBody(rest, headers);
    rest = next;
    responses.push({ status, headers, body });
  }
  return responses;
};

const headersOf = (head: string): Record<string, string> =>
  Object.fromEntries(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
  );

const takeBody = (rest: string, headers: Readonly<Record<string, string>>): [string, string] => {
  if (headers['transfer-encoding'] === 'chunked') {
    return takeChunks(rest);
  }
  const length = headers['content-length'];
  const end = length === undefined ? rest.length : Number(length);
  return [rest.slice(0, end), rest.slice(end)];
};

const takeChunks = (text: string): [string, string] => {
  let body = '';
  let rest = text;
  for (;;) {
    const line = rest.indexOf('\r\n');
    const size = Number.parseInt(rest.slice(0, line), 16);
    if (!(size > 0)) {
      return [body, size === 0 ? rest.slice(line + 4) : ''];
    }
    body += rest.slice(line + 2, line + 2 + size);
    rest = rest.slice(line + 4 + size);
  }
};
