import type { IncomingMessage } from 'node:http';
import { AppError, type DeploymentMode } from '@commonplace/contracts';
import type { Verified } from './authenticators/authenticator.ts';

/** What tells whether a page of another site sent a request. */
export type SiteQuestion = {
  readonly req: IncomingMessage;
  /** Null on public routes. */
  readonly via: Verified['via'] | null;
  readonly mode: DeploymentMode;
  readonly publicOrigins: () => readonly string[];
  readonly corsOrigins: readonly string[];
};

/** Refuses unsafe requests that another site made a browser send (403). */
export const refuseCrossSite = (question: SiteQuestion): void => {
  if (isUnsafe(question.req.method) && isRefused(question)) {
    throw new AppError('cross_site_request');
  }
};

/** Methods that may change something. */
export const isUnsafe = (method: string | undefined): boolean =>
  method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';

const isRefused = (question: SiteQuestion): boolean => {
  const { req, via, mode, publicOrigins, corsOrigins } = question;
  const { origin } = req.headers;
  const site = req.headers['sec-fetch-site'];
  const isOwnOrigin = origin !== undefined && publicOrigins().includes(origin);
  if (via === 'cookie') {
    return site === undefined ? !isOwnOrigin : site !== 'same-origin';
  }
  if (via === 'bearer') {
    // A page cannot make a browser attach a bearer. In local trusted mode it is told apart all the same.
    const isWelcome = origin !== undefined && corsOrigins.includes(origin);
    return mode === 'local_trusted' && !isWelcome && isForeign({ origin, site, isOwnOrigin });
  }
  return isForeign({ origin, site, isOwnOrigin });
};

/** What says of itself that it comes from elsewhere. Programs that are no browsers say nothing. */
const isForeign = (sent: {
  readonly origin: string | undefined;
  readonly site: string | string[] | undefined;
  readonly isOwnOrigin: boolean;
}): boolean =>
  (sent.origin !== undefined && !sent.isOwnOrigin) ||
  sent.site === 'cross-site' ||
  sent.site === 'same-site';
