import { AppError, isAppError } from '@commonplace/contracts/core';
import { ProviderUnavailableError } from './bounded-fetch.ts';

/**
 * What a failed exchange with the provider is for the caller: 503 `oidc_unavailable` if the provider is at fault, else 403
 * `oidc_refused`. The text of the provider goes to the log only.
 */
export const asProviderError = (error: unknown): AppError => {
  if (isAppError(error)) {
    return error;
  }
  return causesOf(error).some(isUnavailable)
    ? new AppError('oidc_unavailable', 'The identity provider is unavailable; try again.', {
        cause: error,
      })
    : new AppError('oidc_refused', undefined, { cause: error });
};

/** Libraries wrap errors of the connection. */
const causesOf = (error: unknown): Error[] => {
  const causes: Error[] = [];
  for (let current = error; causes.length < 5 && current instanceof Error;) {
    causes.push(current);
    current = current.cause;
  }
  return causes;
};

/**
 * Codes of the library for responses that are none of OAuth, such as a page, and for one that demands other credentials of the
 * client: with that header a provider refuses a client secret (RFC 6749, section 5.2).
 */
const foreignResponses: ReadonlySet<unknown> = new Set([
  'OAUTH_WWW_AUTHENTICATE_CHALLENGE',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);

/**
 * Errors of OAuth by which a provider says that it cannot (RFC 6749, section 4.1.2.1), or that it does not take the client
 * (section 5.2), whose secret may have expired: then nobody can sign in through it.
 */
const outages: ReadonlySet<unknown> = new Set([
  'server_error',
  'temporarily_unavailable',
  'invalid_client',
  'unauthorized_client',
]);

type LibraryError = Error & { readonly code?: unknown; readonly error?: unknown };

const isUnavailable = (error: LibraryError): boolean =>
  error instanceof ProviderUnavailableError ||
  foreignResponses.has(error.code) ||
  outages.has(error.error);
