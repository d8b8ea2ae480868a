import type { IncomingMessage } from 'node:http';
import { AppError } from '@commonplace/contracts';
import type {
  Authenticator,
  PresentedCredentials,
  Authentication,
} from './authenticators/authenticator.ts';
import { bearerOf } from './authenticators/bearer.ts';

/** Returns who sends a request; 401 without a valid credential. */
export type Authenticate = (presented: PresentedCredentials) => Promise<Authentication>;

/**
 * Creates the authentication from a list of authenticators. The first that knows the kind of credential
 * decides. A bearer of no known kind is invalid: it never falls back to the cookie.
 */
export const createAuthenticate =
  (authenticators: readonly Authenticator[]): Authenticate =>
  async (presented) => {
    for (const authenticator of authenticators) {
      const authentication = authenticator(presented);
      if (authentication) {
        return authentication;
      }
    }
    throw new AppError(presented.bearer === null ? 'credential_required' : 'invalid_token');
  };

/** Reads the credentials of a request, from headers only. */
export const readCredentials = (
  req: IncomingMessage,
  known: Pick<PresentedCredentials, 'address' | 'isStream' | 'endedRunId' | 'resource'>,
): PresentedCredentials => ({
  bearer: bearerOf(req),
  cookie: req.headers.cookie,
  ...known,
});
