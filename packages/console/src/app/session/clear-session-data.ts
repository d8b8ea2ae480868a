import type { QueryClient } from '@tanstack/react-query';
import { signInOptionsQuery } from '../../api/sign-in-options-query.ts';

const [publicKey] = signInOptionsQuery.queryKey;

/**
 * Forgets what belongs to a session. How operators sign in is the same for everybody, and the page that does so may
 * still show it.
 */
export const clearSessionData = (client: QueryClient): void => {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== publicKey });
  client.getMutationCache().clear();
};
