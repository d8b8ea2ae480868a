import type { IncomingMessage, ServerResponse } from 'node:http';
import { applyPendingHeaders } from '../http/pending-headers.ts';

const allowedHeaders = [
  'Authorization',
  'Content-Type',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
  'Prefer',
  'X-Company-Id',
  'traceparent',
].join(', ');

const exposedHeaders = [
  'ETag',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
].join(', ');

const preflightSeconds = '600';

/** Lets pages of the origins in `CORS_ORIGINS` call with a bearer. */
export type Cors = {
  /** Marks the answer as readable for the page, when it sent a bearer: never for a cookie, nor for nothing. */
  readonly applyHeaders: (req: IncomingMessage, res: ServerResponse) => void;
  /** Answers the browser's question before a request; false when it is none, or from elsewhere. */
  readonly preflight: (
    req: IncomingMessage,
    res: ServerResponse,
    allowedMethods: () => readonly string[],
  ) => boolean;
};

/** Makes the CORS answers; without origins there are none, not even `Vary`. */
export const createCors = (origins: readonly string[]): Cors => {
  const isAllowedOrigin = ({ headers }: IncomingMessage) =>
    headers.origin !== undefined && origins.includes(headers.origin);

  const open: Cors['applyHeaders'] = (req, res) => {
    if (origins.length === 0) {
      return;
    }
    res.setHeader('Vary', 'Origin');
    if (isAllowedOrigin(req) && req.headers.authorization !== undefined) {
      res.setHeader('Access-Control-Allow-Origin', String(req.headers.origin));
      res.setHeader('Access-Control-Expose-Headers', exposedHeaders);
    }
  };

  const preflight: Cors['preflight'] = (req, res, allowedMethods) => {
    const isAsked = req.headers['access-control-request-method'] !== undefined;
    const isPreflight = req.method === 'OPTIONS' && isAsked && isAllowedOrigin(req);
    const allowed = isPreflight ? allowedMethods() : [];
    if (allowed.length === 0) {
      return false;
    }
    applyPendingHeaders(res);
    res.setHeader('Vary', 'Origin');
    res.setHeader('Access-Control-Allow-Origin', String(req.headers.origin));
    res.setHeader('Access-Control-Allow-Methods', allowed.join(', '));
    res.setHeader('Access-Control-Allow-Headers', allowedHeaders);
    res.setHeader('Access-Control-Max-Age', preflightSeconds);
    res.writeHead(204).end();
    return true;
  };

  return { applyHeaders: open, preflight };
};
