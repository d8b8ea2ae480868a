import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';

/** What an invite is for. Reading it changes nothing. */
export const inviteQuery = (token: string) =>
  queryOptions({
    queryKey: ['invite', token],
    queryFn: async ({ signal }) =>
      (await api.post('/api/auth/invites/describe', { body: { token }, signal })).data,
    // A token is used once, and its description does not change.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
