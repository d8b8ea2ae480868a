import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';

/** The signed-in operator, on a page that needs no session; null without a session, and if it cannot be read. */
export const visitorQuery = queryOptions({
  queryKey: ['visitor'],
  queryFn: async ({ signal }) => {
    const response = await api.get('/api/auth/session', { signal }).catch(() => null);
    return response?.data.mode === 'authenticated' ? response.data.operator : null;
  },
  // The route reads it again each time the page opens.
  staleTime: Number.POSITIVE_INFINITY,
});
