import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import { api } from './api.ts';
import { byCursor, cursorOf } from './pages.ts';
import { keys } from './query-keys.ts';

/** Which API keys or connections are shown; by default the active ones. */
export type CredentialFilter = {
  readonly agentId?: string | undefined;
  readonly show?: 'unused' | 'expiring' | 'all' | undefined;
  /** The start of the present day in milliseconds: times are counted from it, so that pages fit together. */
  readonly todayMs: number;
};

const dayMs = 86_400_000;

/** Nothing was sent with it for so long. */
export const unusedDays = 30;

/** It expires within so many days. */
export const expiringDays = 14;

const parametersOf = ({ agentId, show, todayMs }: CredentialFilter) => ({
  ...(agentId ? { agentId } : {}),
  ...(show === undefined ? { active: true } : {}),
  ...(show === 'unused'
    ? { unusedSince: new Date(todayMs - unusedDays * dayMs).toISOString() }
    : {}),
  ...(show === 'expiring'
    ? { expiresBefore: new Date(todayMs + (expiringDays + 1) * dayMs).toISOString() }
    : {}),
});

/** After a change of a key: reloads the lists of its agent and of the company. */
export const invalidateKeys = (client: QueryClient, companyId: string, agentId: string) =>
  Promise.all([
    client.invalidateQueries({ queryKey: keys.agent(companyId, agentId) }),
    client.invalidateQueries({ queryKey: keys.apiKeys(companyId) }),
  ]);

/** All active keys of an agent; it has ten at most. */
export const activeKeysQuery = (companyId: string, agentId: string) =>
  queryOptions({
    queryKey: [...keys.apiKeys(companyId), 'active of', agentId],
    queryFn: async ({ signal }) =>
      (
        await api.get('/api/companies/{companyId}/keys', {
          params: { path: { companyId }, query: { agentId, active: true } },
          signal,
        })
      ).data.items,
    staleTime: 0,
  });

/** The API keys of a company, newest first. */
export const companyKeysQuery = (companyId: string, filter: CredentialFilter) =>
  infiniteQueryOptions({
    queryKey: [...keys.apiKeys(companyId), parametersOf(filter)],
    queryFn: async ({ pageParam, signal }) =>
      (
        await api.get('/api/companies/{companyId}/keys', {
          params: {
            path: { companyId },
            query: { ...parametersOf(filter), ...cursorOf(pageParam) },
          },
          signal,
        })
      ).data,
    ...byCursor,
  });

/** The connections of a company, newest first. */
export const connectionsQuery = (companyId: string, filter: CredentialFilter) =>
  infiniteQueryOptions({
    queryKey: [...keys.connections(companyId), parametersOf(filter)],
    queryFn: async ({ pageParam, signal }) =>
      (
        await api.get('/api/companies/{companyId}/connections', {
          params: {
            path: { companyId },
            query: { ...parametersOf(filter), ...cursorOf(pageParam) },
          },
          signal,
        })
      ).data,
    ...byCursor,
  });
