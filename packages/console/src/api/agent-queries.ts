import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, apiOf } from './api.ts';
import { byCursor, cursorOf, readAll } from './pages.ts';
import { keys } from './query-keys.ts';

/** The filter of an agent list. */
export type AgentFilter = {
  readonly q?: string | undefined;
  readonly status?: 'active' | 'paused' | 'terminated' | undefined;
};

/** The agents of a company, by name. */
export const agentsQuery = (companyId: string, filter: AgentFilter = {}) =>
  infiniteQueryOptions({
    queryKey: [...keys.agents(companyId), 'list', filter],
    queryFn: async ({ pageParam, signal }) =>
      (
        await api.get('/api/companies/{companyId}/agents', {
          params: {
            path: { companyId },
            query: {
              ...cursorOf(pageParam),
              ...(filter.q ? { q: filter.q } : {}),
              ...(filter.status ? { status: filter.status } : {}),
            },
          },
          signal,
        })
      ).data,
    ...byCursor,
  });

/** All agents of a company, for selects and totals. */
export const allAgentsQuery = (companyId: string) =>
  queryOptions({
    queryKey: [...keys.agents(companyId), 'all'],
    queryFn: ({ signal }) =>
      readAll(
        async (cursor) =>
          (
            await api.get('/api/companies/{companyId}/agents', {
              params: { path: { companyId }, query: { limit: 200, ...cursorOf(cursor) } },
              signal,
            })
          ).data,
      ),
  });

/** One agent. */
export const agentQuery = (companyId: string, agentId: string) =>
  queryOptions({
    queryKey: [...keys.agent(companyId, agentId), 'itself'],
    queryFn: async ({ signal }) =>
      (
        await apiOf(companyId).get('/api/agents/{agentId}', {
          params: { path: { agentId } },
          signal,
        })
      ).data,
  });

/** The keys of an agent, including revoked and expired ones. */
export const agentKeysQuery = (companyId: string, agentId: string) =>
  infiniteQueryOptions({
    queryKey: [...keys.agent(companyId, agentId), 'keys'],
    queryFn: async ({ pageParam, signal }) =>
      (
        await apiOf(companyId).get('/api/agents/{agentId}/keys', {
          params: { path: { agentId }, query: cursorOf(pageParam) },
          signal,
        })
      ).data,
    ...byCursor,
  });

/** An API key or a connection. */
export type CredentialId = { readonly keyId: string } | { readonly connectionId: string };

/** What was written with a credential: changes of notes, newest first. */
export const credentialChangesQuery = (companyId: string, credential: CredentialId) =>
  infiniteQueryOptions({
    queryKey: [...keys.notes(companyId), 'of-credential', credential],
    queryFn: async ({ pageParam, signal }) =>
      (
        await apiOf(companyId).get('/api/notes/activity', {
          params: { query: { ...credential, ...cursorOf(pageParam) } },
          signal,
        })
      ).data,
    ...byCursor,
  });

/** The runs of an agent, newest first, refreshed periodically. */
export const agentRunsQuery = (companyId: string, agentId: string) =>
  infiniteQueryOptions({
    queryKey: keys.runs(companyId, agentId),
    queryFn: async ({ pageParam, signal }) =>
      (
        await apiOf(companyId).get('/api/agents/{agentId}/runs', {
          params: { path: { agentId }, query: cursorOf(pageParam) },
          signal,
        })
      ).data,
    ...byCursor,
    refetchInterval: 5_000,
  });

/** Who reports to whom. */
export const orgChartQuery = (companyId: string) =>
  queryOptions({
    queryKey: keys.orgChart(companyId),
    queryFn: async ({ signal }) =>
      (
        await api.get('/api/companies/{companyId}/org-chart', {
          params: { path: { companyId } },
          signal,
        })
      ).data,
  });
