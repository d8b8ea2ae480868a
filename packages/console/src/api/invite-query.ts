import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';

/** A token is used once, and what it is for does not change. */
const asShown = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 };

/** What an invite is for. Reading it changes nothing. */
export const inviteQuery = (token: string) =>
  queryOptions({
    queryKey: ['invite', token],
    queryFn: async ({ signal }) =>
      (await api.post('/api/auth/invites/describe', { body: { token }, signal })).data,
    ...asShown,
  });

/** Whose account a handover is. Reading it changes nothing. */
export const handoverQuery = (token: string) =>
  queryOptions({
    queryKey: ['handover', token],
    queryFn: async ({ signal }) =>
      (await api.post('/api/auth/handovers/describe', { body: { token }, signal })).data,
    ...asShown,
  });

/** Whether a setup link still works. */
export const setupTokenQuery = (token: string) =>
  queryOptions({
    queryKey: ['setup-token', token],
    queryFn: async ({ signal }) => {
      await api.post('/api/auth/setup/check', { body: { token }, signal });
      return true;
    },
    ...asShown,
  });
