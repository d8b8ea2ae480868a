import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isCompanyItself, reloadCompanies } from '../api/company-queries.ts';
import { isForeignCompany, isSignedOut, mustEnrol, retryUnavailable } from '../api/problems.ts';
import { keys } from '../api/query-keys.ts';
import { showUnseenErrors } from './show-unseen-errors.ts';

type SessionEvents = {
  readonly onSignedOut: () => void;
  /** The instance requires a second factor from now on, or the session has lost its own. */
  readonly onMustEnrol: () => void;
};

/**
 * Creates the query cache. The API client retries safe requests, so queries do not; what
 * the server was not available for is loaded again later, without a click. A 401 after sign-in
 * means that the session has ended (`retryRenewedSession`); the routes handle a 401 before it.
 */
export const createQueryClient = ({ onSignedOut, onMustEnrol }: SessionEvents): QueryClient => {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { queryKey }) => {
        handleError(error);
        // The company says so itself next.
        if (isForeignCompany(error) && !isCompanyItself(queryKey)) {
          void reloadCompanies(client);
        }
      },
    }),
    mutationCache: new MutationCache({ onError: (error) => handleError(error) }),
    defaultOptions: {
      // A browser without a network still reaches a server on the same machine, and nothing is done later unseen.
      queries: {
        networkMode: 'always',
        retry: false,
        staleTime: 5_000,
        refetchInterval: retryUnavailable,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
  showUnseenErrors(client.getMutationCache());
  const handleError = (error: Error) => {
    if (client.getQueryData(keys.session) === undefined) {
      return;
    }
    if (isSignedOut(error)) {
      onSignedOut();
    } else if (mustEnrol(error)) {
      onMustEnrol();
    }
  };
  return client;
};
