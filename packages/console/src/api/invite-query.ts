import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';

/** What an invite is for. Reading it changes nothing. */
export const inviteQuery = (token: string) =>
  queryOptions({
    queryKey: ['invite', token],
    queryFn: async ({ signal }) =>
      (await api.post('/api/auth/invites/describe', { body: { token }, signal })).data,
    // It is used once, and what it says stays.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
