import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendLocalResponse } from '../http/local-response.ts';

const allowedHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'Prefer',
  'X-Company-Id',
  'traceparent',
].join(', ');

const exposedHeaders = [
  'Content-Disposition',
  'ETag',
  'Location',
  'Note-Restored',
  'Preference-Applied',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-Context-Cursor',
  'X-Request-Id',
].join(', ');

const preflightSeconds = '600';

type Preflight = {
  readonly allowedMethods: () => readonly string[];
  /** Whether a route of the path is for pages of any origin. */
  readonly allowsAnyOrigin: () => boolean;
};

/** Lets pages of the origins in `CORS_ORIGINS` use the API with a bearer, and pages of any origin the routes for them. */
export type Cors = {
  /** Makes the response readable for the page if the request has a bearer, and never for a cookie. */
  readonly applyHeaders: (
    req: IncomingMessage,
    res: ServerResponse,
    allowsAnyOrigin: boolean,
  ) => void;
  /** Responds to a preflight request of an allowed origin; returns false for any other request. */
  readonly preflight: (req: IncomingMessage, res: ServerResponse, path: Preflight) => boolean;
};

/**
 * Creates the CORS rules. Without origins no response has a CORS header, not even `Vary`, except on routes for pages of
 * any origin. Those do not exist where every client is the operator.
 */
export const createCors = (origins: readonly string[], hasForeignPages = false): Cors => {
  const isAllowedOrigin = ({ headers }: IncomingMessage) =>
    headers.origin !== undefined && origins.includes(headers.origin);

  const applyHeaders: Cors['applyHeaders'] = (req, res, allowsAnyOrigin) => {
    if (allowsAnyOrigin && hasForeignPages) {
      // Without `Allow-Credentials`: a browser shows the page nothing that a cookie was sent with.
      res.setHeader('Access-Control-Allow-Origin', '*');
      res.setHeader('Access-Control-Expose-Headers', exposedHeaders);
      return;
    }
    if (origins.length === 0) {
      return;
    }
    res.setHeader('Vary', 'Origin');
    if (isAllowedOrigin(req) && req.headers.authorization !== undefined) {
      res.setHeader('Access-Control-Allow-Origin', String(req.headers.origin));
      res.setHeader('Access-Control-Expose-Headers', exposedHeaders);
    }
  };

  const preflight: Cors['preflight'] = (req, res, { allowedMethods, allowsAnyOrigin }) => {
    const isPreflight =
      req.method === 'OPTIONS' &&
      req.headers.origin !== undefined &&
      req.headers['access-control-request-method'] !== undefined;
    const isForAll = isPreflight && hasForeignPages && allowsAnyOrigin();
    const methods = isForAll || (isPreflight && isAllowedOrigin(req)) ? allowedMethods() : [];
    if (methods.length === 0) {
      return false;
    }
    const headers = {
      ...(isForAll ? {} : { Vary: 'Origin' }),
      'Access-Control-Allow-Origin': isForAll ? '*' : String(req.headers.origin),
      'Access-Control-Allow-Methods': methods.join(', '),
      'Access-Control-Allow-Headers': allowedHeaders,
      'Access-Control-Max-Age': preflightSeconds,
    };
    sendLocalResponse(res, { status: 204, headers });
    return true;
  };

  return { applyHeaders, preflight };
};
