import type { IncomingMessage } from 'node:http';
import { AppError } from '@commonplace/contracts';
import type {
  Authenticator,
  PresentedCredentials,
  Authentication,
} from './authenticators/authenticator.ts';
import { bearerOf } from './authenticators/bearer.ts';

/** Finds out who sent a request, or refuses it with 401. */
export type Authenticate = (presented: PresentedCredentials) => Promise<Authentication>;

/**
 * Asks the authenticators in turn; the first whose kind of credential it is decides. A bearer that
 * is nobody's kind is as bad as a forged one: presenting it never falls back to anything else.
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

/** Reads the credentials of a request; they are taken from headers only. */
export const readCredentials = (
  req: IncomingMessage,
  known: Pick<PresentedCredentials, 'address' | 'isStream'>,
): PresentedCredentials => ({
  bearer: bearerOf(req),
  cookie: req.headers.cookie,
  ...known,
});
