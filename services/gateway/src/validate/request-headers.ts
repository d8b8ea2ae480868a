import type { IncomingMessage } from 'node:http';
import { AppError } from '@commonplace/contracts';

/** The headers a request may have. Node would silently drop those beyond its own limit. */
const headersMax = 100;

/** Rejects a request with too many headers (431), ambiguous ones (400) or an unknown expectation (417). */
export const validateRequestHeaders = (req: IncomingMessage): void => {
  if (req.rawHeaders.length > headersMax * 2) {
    throw new AppError(
      'headers_too_large',
      `A request may have at most ${headersMax} header fields.`,
    );
  }
  if (countOf(req, 'host') !== 1 && (req.httpVersion !== '1.0' || countOf(req, 'host') > 1)) {
    throw new AppError('malformed_header', 'Send exactly one Host header.');
  }
  if (countOf(req, 'authorization') > 1) {
    throw new AppError('malformed_header', 'Send one Authorization header at most.');
  }
  if ((req.headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked') {
    throw new AppError('malformed_header', 'The only supported transfer coding is chunked.', {
      // Another parser could see the body end elsewhere, so nothing may follow it.
      headers: { Connection: 'close' },
    });
  }
  if ((req.headers.expect ?? '100-continue').toLowerCase() !== '100-continue') {
    throw new AppError('expectation_failed');
  }
};

/** Counts a header in the raw list, because `req.headers` keeps only the first of these. */
const countOf = (req: IncomingMessage, name: string): number => {
  let count = 0;
  for (let index = 0; index < req.rawHeaders.length; index += 2) {
    const raw = req.rawHeaders[index] as string;
    if (raw.length === name.length && raw.toLowerCase() === name) {
      count += 1;
    }
  }
  return count;
};
