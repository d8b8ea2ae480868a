import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';
import { keys } from './query-keys.ts';

const minutesMs = 60_000;

/** How operators of this instance sign in. It changes with the configuration, and when the instance is set up. */
export const signInOptionsQuery = queryOptions({
  queryKey: keys.signInOptions,
  queryFn: async ({ signal }) => (await api.get('/api/auth/sign-in-options', { signal })).data,
  staleTime: ({ state: { data } }) => (data?.isSetUp === false ? 0 : 5 * minutesMs),
});
