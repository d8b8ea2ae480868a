import { createHash } from 'node:crypto';
import fresh from 'fresh';
import { sendLocalResponse } from '../http/local-response.ts';
import type { RequestContext } from '../http/request-context.ts';
import { encodingFor, type Encodings } from './encodings.ts';

/** A public file that is kept in memory and sent to every client. */
export type SharedFile = Encodings & {
  readonly contentType: string;
  /** Identifies the content; its ETags are made from it. */
  readonly digest: string;
  readonly headers: Readonly<Record<string, string>>;
};

/**
 * Sends a file in the smallest content coding that the client accepts, or 304 when the client has it in that
 * coding (RFC 9110 section 13.1.2).
 */
export const sendSharedFile = ({ req, res }: RequestContext, file: SharedFile): void => {
  const { encoding, body, etag } = encodingFor(file, file.digest, req.headers['accept-encoding']);
  const headers = {
    'Content-Type': file.contentType,
    Vary: 'Accept-Encoding',
    ETag: etag,
    ...file.headers,
  };
  if (fresh(req.headers, { etag })) {
    sendLocalResponse(res, { status: 304, headers });
    return;
  }
  const coding = encoding === null ? {} : { 'Content-Encoding': encoding };
  sendLocalResponse(res, { status: 200, headers: { ...headers, ...coding }, body });
};

/** The digest of a content: the first 22 characters of its SHA-256 in base64url. */
export const digestOf = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, 22);
