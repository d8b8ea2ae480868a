import type { RequestContext } from '../http/request-context.ts';
import { encodingFor, type Encodings } from './encodings.ts';
import { matchesEtag } from './matches-etag.ts';
import { sendBytes } from './send-bytes.ts';

/** Something public that is made once and sent to everybody. */
export type SharedFile = Encodings & {
  readonly contentType: string;
  /** Names the content: its ETags are made of it. */
  readonly digest: string;
  readonly headers: Readonly<Record<string, string>>;
};

/**
 * Sends a file as small as the client can read it, or 304 when the client has it already in that form
 * (RFC 9110 section 13.1.2). A HEAD request gets the headers only.
 */
export const sendFile = ({ req, res }: RequestContext, file: SharedFile): void => {
  const { encoding, body, etag } = encodingFor(file, file.digest, req.headers['accept-encoding']);
  res.setHeader('Content-Type', file.contentType);
  res.setHeader('Vary', 'Accept-Encoding');
  res.setHeader('ETag', etag);
  for (const [name, value] of Object.entries(file.headers)) {
    res.setHeader(name, value);
  }
  if (matchesEtag(req, etag)) {
    res.writeHead(304).end();
    return;
  }
  if (encoding !== null) {
    res.setHeader('Content-Encoding', encoding);
  }
  res.setHeader('Content-Length', body.length);
  if (req.method === 'HEAD') {
    res.end();
  } else {
    sendBytes(res, body);
  }
};
