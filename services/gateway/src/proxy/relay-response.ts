import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';

type RelayOptions = {
  readonly upstreamResponse: IncomingMessage;
  readonly res: ServerResponse;
  /** Names and values in turn, asked for when the answer begins. */
  readonly headers: () => OutgoingHttpHeader[];
};

/** Longer bodies are not copied to be written in one piece with their headers. */
const joinedBytesMax = 16 * 1_024;

/**
 * Hands the answer of a service on, as fast as the client takes it. The proxy would set header by header
 * and pipe, with eight listeners; most answers are whole with their first chunk, and a text of Latin-1, which
 * stands for bytes, leaves with its headers in one string. An answer that is cut short, or that the client
 * no longer wants, the proxy ends.
 */
export const relayResponse = ({ upstreamResponse, res, headers }: RelayOptions): void => {
  if (!res.headersSent) {
    // For the log, should it end before it begins.
    res.statusCode = upstreamResponse.statusCode ?? 502;
  }
  upstreamResponse.on('data', (chunk: Buffer) => {
    if (res.writableEnded) {
      return;
    }
    const isFirst = !res.headersSent;
    if (isFirst && !writeHead({ upstreamResponse, res, headers })) {
      return;
    }
    if (isFirst && isWhole(upstreamResponse, chunk)) {
      res.end(chunk.length > joinedBytesMax ? chunk : chunk.toString('latin1'), 'latin1');
    } else if (!res.write(chunk)) {
      upstreamResponse.pause();
      res.once('drain', () => upstreamResponse.resume());
    }
  });
  upstreamResponse.on('end', () => {
    if (!res.writableEnded && (res.headersSent || writeHead({ upstreamResponse, res, headers }))) {
      res.end();
    }
  });
};

/** Node does not write all that it reads. What it refuses is cut: here nobody else would catch the error. */
const writeHead = ({ upstreamResponse, res, headers }: RelayOptions): boolean => {
  res.statusMessage = upstreamResponse.statusMessage ?? '';
  try {
    res.writeHead(res.statusCode, headers());
    return true;
  } catch {
    res.destroy();
    return false;
  }
};

const isWhole = ({ headers }: IncomingMessage, { length }: Buffer): boolean =>
  headers['content-length'] === String(length);
