import type { IncomingMessage } from 'node:http';
import { AppError, type DeploymentMode } from '@commonplace/contracts';
import type { Authentication } from '../auth/authenticators/authenticator.ts';

/** What tells whether a page of another site sent a request. */
export type CsrfCheck = {
  readonly req: IncomingMessage;
  /** Null on public routes. */
  readonly method: Authentication['method'] | null;
  readonly mode: DeploymentMode;
  readonly publicOrigins: () => readonly string[];
  readonly corsOrigins: readonly string[];
};

/** Refuses unsafe requests that another site made a browser send (403). */
export const assertSameSite = (question: CsrfCheck): void => {
  if (isUnsafeMethod(question.req.method) && isCrossSite(question)) {
    throw new AppError('cross_site_request');
  }
};

/** Methods that may change something. */
export const isUnsafeMethod = (method: string | undefined): boolean =>
  method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';

const isCrossSite = (question: CsrfCheck): boolean => {
  const { req, method, mode, publicOrigins, corsOrigins } = question;
  const { origin } = req.headers;
  const site = req.headers['sec-fetch-site'];
  const isOwnOrigin = origin !== undefined && publicOrigins().includes(origin);
  if (method === 'cookie') {
    return site === undefined ? !isOwnOrigin : site !== 'same-origin';
  }
  if (method === 'bearer') {
    // A page cannot make a browser attach a bearer. In local trusted mode it is told apart all the same.
    const isWelcome = origin !== undefined && corsOrigins.includes(origin);
    return mode === 'local_trusted' && !isWelcome && isCrossOrigin({ origin, site, isOwnOrigin });
  }
  return isCrossOrigin({ origin, site, isOwnOrigin });
};

/** What says of itself that it comes from elsewhere. Programs that are no browsers say nothing. */
const isCrossOrigin = (sent: {
  readonly origin: string | undefined;
  readonly site: string | string[] | undefined;
  readonly isOwnOrigin: boolean;
}): boolean =>
  (sent.origin !== undefined && !sent.isOwnOrigin) ||
  sent.site === 'cross-site' ||
  sent.site === 'same-site';
