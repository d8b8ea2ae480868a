import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';
import { keys } from './query-keys.ts';

/** How operators of this instance sign in; the same for everybody. */
export const signInOptionsQuery = queryOptions({
  queryKey: keys.signInOptions,
  queryFn: async ({ signal }) => (await api.get('/api/auth/sign-in-options', { signal })).data,
  staleTime: 5 * 60_000,
});
