import type { IncomingMessage } from 'node:http';
import { AppError } from '@commonplace/contracts';

/** How many header lines a request may have. Node would drop the rest in silence. */
const headersMax = 100;

/** Refuses too many headers (431) and those that say two things at once (400). */
export const validateRequestHeaders = (req: IncomingMessage): void => {
  if (req.rawHeaders.length > headersMax * 2) {
    throw new AppError('headers_too_large', `At most ${headersMax} headers are taken.`);
  }
  if (countOf(req, 'host') !== 1 && (req.httpVersion !== '1.0' || countOf(req, 'host') > 1)) {
    throw new AppError('malformed_header', 'Send exactly one Host header.');
  }
  if (countOf(req, 'authorization') > 1) {
    throw new AppError('malformed_header', 'Send one Authorization header at most.');
  }
  if ((req.headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked') {
    throw new AppError('malformed_header', 'The only transfer coding taken is chunked.', {
      // Where another reader could see the body end elsewhere, nothing may follow it.
      headers: { Connection: 'close' },
    });
  }
  if ((req.headers.expect ?? '100-continue').toLowerCase() !== '100-continue') {
    throw new AppError('expectation_failed');
  }
};

/** `req.headers` keeps only the first of these; the raw list has them all. */
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
