import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isSignedOut } from '../api/is-signed-out.ts';
import { keys } from '../api/query-keys.ts';

/**
 * The cache of everything read. The client repeats what is safe to repeat, so queries do not. A 401
 * after somebody was signed in means that the session is over; a first one is for the routes to judge.
 */
export const makeQueryClient = (onSignedOut: () => void): QueryClient => {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: (error) => judge(error) }),
    mutationCache: new MutationCache({ onError: (error) => judge(error) }),
    defaultOptions: {
      queries: { retry: false, staleTime: 5_000 },
      mutations: { retry: false },
    },
  });
  const judge = (error: Error) => {
    if (isSignedOut(error) && client.getQueryData(keys.session) !== undefined) {
      onSignedOut();
    }
  };
  return client;
};
