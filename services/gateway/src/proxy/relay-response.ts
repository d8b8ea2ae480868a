import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';

type RelayOptions = {
  readonly upstreamResponse: IncomingMessage;
  readonly res: ServerResponse;
  /** Returns names and values, alternating; called when the response begins. */
  readonly headers: () => OutgoingHttpHeader[];
};

/** Longer bodies are not copied into one write with their headers. */
const joinedBytesMax = 16 * 1_024;

/**
 * Relays the response of a service as fast as the client reads it. The proxy would set headers one by one and
 * pipe with eight listeners. Most responses are complete with their first chunk: latin1 maps bytes 1:1, so
 * headers and body go out in one write. The proxy ends a response that is cut short or whose client
 * disconnected.
 */
export const relayResponse = ({ upstreamResponse, res, headers }: RelayOptions): void => {
  if (!res.headersSent) {
    // For the access log, in case the response never begins.
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

/**
 * Node reads some headers that it does not write. Their response is cut, because nothing else would catch the
 * error here.
 */
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
