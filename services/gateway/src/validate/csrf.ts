import type { IncomingMessage } from 'node:http';
import { AppError, type DeploymentMode } from '@commonplace/contracts';

export type CsrfOptions = {
  readonly mode: DeploymentMode;
  /** The origins of this site, by the port of the request. */
  readonly publicOriginsOf: (req: IncomingMessage) => readonly string[];
  readonly corsOrigins: readonly string[];
};

/**
 * Rejects an unsafe request that another site made a browser send (403). `method` is how the request was
 * authenticated, null on public routes. Some routes are for pages of any origin, and get no cookie.
 */
export type AssertSameSite = (
  req: IncomingMessage,
  method: 'bearer' | 'cookie' | 'local_trust' | null,
  allowsAnyOrigin?: boolean,
) => void;

/** Creates the check for cross-site request forgery. It reads `Origin` and `Sec-Fetch-Site`. */
export const createCsrfCheck = ({
  mode,
  publicOriginsOf,
  corsOrigins,
}: CsrfOptions): AssertSameSite => {
  const isCrossSite = (req: IncomingMessage, method: Parameters<AssertSameSite>[1]): boolean => {
    const { origin } = req.headers;
    const site = req.headers['sec-fetch-site'];
    const isOwnOrigin = origin !== undefined && publicOriginsOf(req).includes(origin);
    if (method === 'cookie') {
      return site === undefined ? !isOwnOrigin : site !== 'same-origin';
    }
    if (method === 'bearer') {
      // A page cannot make a browser attach a bearer. Local trusted mode checks the origin all the same.
      const isAllowed = origin !== undefined && corsOrigins.includes(origin);
      return mode === 'local_trusted' && !isAllowed && isCrossOrigin({ origin, site, isOwnOrigin });
    }
    return isCrossOrigin({ origin, site, isOwnOrigin });
  };

  return (req, method, allowsAnyOrigin = false) => {
    if (allowsAnyOrigin && mode === 'authenticated' && method !== 'cookie') {
      return;
    }
    if (isUnsafeMethod(req.method) && isCrossSite(req, method)) {
      throw new AppError('cross_site_request');
    }
  };
};

/** Whether a method may change something. */
export const isUnsafeMethod = (method: string | undefined): boolean =>
  method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';

/** Whether the headers name another origin or site. Clients that are not browsers send neither. */
const isCrossOrigin = (sent: {
  readonly origin: string | undefined;
  readonly site: string | string[] | undefined;
  readonly isOwnOrigin: boolean;
}): boolean =>
  (sent.origin !== undefined && !sent.isOwnOrigin) ||
  sent.site === 'cross-site' ||
  sent.site === 'same-site';
