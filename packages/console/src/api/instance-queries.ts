import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';
import { keys } from './query-keys.ts';

const refreshMs = 10_000;

/** The state of the instance, for administrators; refreshed while it is shown. */
export const instanceQuery = queryOptions({
  queryKey: keys.instance,
  queryFn: async ({ signal }) => (await api.get('/api/instance', { signal })).data,
  refetchInterval: refreshMs,
});
