import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';

type HandOver = {
  readonly answer: IncomingMessage;
  readonly res: ServerResponse;
  /** Names and values in turn, asked for when the answer begins. */
  readonly headers: () => readonly OutgoingHttpHeader[];
};

/** Longer bodies are not copied to be written in one piece with their headers. */
const joinedBytesMax = 16 * 1_024;

/**
 * Hands the answer of a service on, as fast as the client takes it. The proxy would set header by header
 * and pipe, with eight listeners; most answers are whole with their first chunk, and a text of Latin-1, which
 * stands for bytes, leaves with its headers in one string. An answer that is cut short, or that the client
 * no longer wants, the proxy ends.
 */
export const handOn = ({ answer, res, headers }: HandOver): void => {
  const begin = (): void => {
    res.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', [...headers()]);
  };
  answer.on('data', (chunk: Buffer) => {
    if (res.writableEnded) {
      return;
    }
    if (!res.headersSent) {
      begin();
      if (isWhole(answer, chunk)) {
        res.end(chunk.length > joinedBytesMax ? chunk : chunk.toString('latin1'), 'latin1');
        return;
      }
    }
    if (!res.write(chunk)) {
      answer.pause();
      res.once('drain', () => answer.resume());
    }
  });
  answer.on('end', () => {
    if (res.writableEnded) {
      return;
    }
    if (!res.headersSent) {
      begin();
    }
    res.end();
  });
};

const isWhole = ({ headers }: IncomingMessage, { length }: Buffer): boolean =>
  headers['content-length'] === String(length);
