import type { Schema } from '@commonplace/client';
import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import { api } from './api.ts';
import { byCursor, cursorOf, readAll, type Page } from './pages.ts';
import { keys } from './query-keys.ts';

/** Which API keys or connections are shown; by default the active ones. */
export type CredentialFilter = {
  readonly agentId?: string | undefined;
  readonly show?: 'unused' | 'expiring' | 'all' | undefined;
  /** The start of the present day in milliseconds: times are counted from it, so that pages fit together. */
  readonly todayMs: number;
};

const dayMs = 86_400_000;

/** The longest page of a list. */
const pageMax = 200;

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

/** How often it is looked whether a key has expired; that changes without a request. */
const expiredMs = 60_000;

/** Keys that have expired and that nothing replaced, of agents without another way in, the last to end of each. */
export const expiredKeysQuery = (companyId: string) =>
  queryOptions({
    queryKey: [...keys.apiKeys(companyId), 'expired'],
    queryFn: async ({ signal }): Promise<readonly Schema<'ApiKey'>[]> => {
      const path = { companyId };
      const latest = { path, query: { active: false, limit: endedMax } };
      const { data } = await api.get('/api/companies/{companyId}/keys', { params: latest, signal });
      const expired = data.items
        .filter(isExpiredUnreplaced)
        .toSorted((one, other) => endMs(one) - endMs(other));
      const ofAgents = new Map(expired.map((key) => [key.agentId, key]));
      if (ofAgents.size === 0) {
        return [];
      }
      const readActive = (
        address: '/api/companies/{companyId}/keys' | '/api/companies/{companyId}/connections',
      ) =>
        readAll<{ readonly agentId: string }>(async (cursor) => {
          const query = { active: true, limit: endedMax, ...cursorOf(cursor) };
          return (await api.get(address, { params: { path, query }, signal })).data;
        });
      const active = await Promise.all([
        readActive('/api/companies/{companyId}/keys'),
        readActive('/api/companies/{companyId}/connections'),
      ]);
      const withKey = new Set(active.flat().map(({ agentId }) => agentId));
      return [...ofAgents.values()].filter(({ agentId }) => !withKey.has(agentId));
    },
    // A key that was made elsewhere ends it.
    staleTime: 0,
    refetchInterval: expiredMs,
  });

/** The latest keys that are revoked or have expired; more than that are not looked at. */
const endedMax = 200;

/** What was revoked was meant to end. */
const isExpiredUnreplaced = ({ revokedAt, replacedBy }: Schema<'ApiKey'>): boolean =>
  revokedAt === null && replacedBy === null;

const endMs = ({ expiresAt }: Schema<'ApiKey'>): number => Date.parse(expiresAt ?? '');

/** Every API key that expires soon, however many there are: the server filters them, newest first. */
export const expiringKeysQuery = (companyId: string, todayMs: number) =>
  queryOptions({
    queryKey: [...keys.apiKeys(companyId), 'expiring', todayMs],
    queryFn: ({ signal }) =>
      readExpiring(todayMs, async (query) => {
        const params = { path: { companyId }, query };
        return (await api.get('/api/companies/{companyId}/keys', { params, signal })).data;
      }),
  });

/** Every connection that expires soon. */
export const expiringConnectionsQuery = (companyId: string, todayMs: number) =>
  queryOptions({
    queryKey: [...keys.connections(companyId), 'expiring', todayMs],
    queryFn: ({ signal }) =>
      readExpiring(todayMs, async (query) => {
        const params = { path: { companyId }, query };
        return (await api.get('/api/companies/{companyId}/connections', { params, signal })).data;
      }),
  });

const expiringPage = (todayMs: number, cursor: string | undefined) => ({
  ...parametersOf({ show: 'expiring', todayMs }),
  limit: pageMax,
  ...cursorOf(cursor),
});

/** All pages of what expires soon. */
const readExpiring = <Item>(
  todayMs: number,
  read: (query: ReturnType<typeof expiringPage>) => Promise<Page<Item>>,
): Promise<readonly Item[]> => readAll((cursor) => read(expiringPage(todayMs, cursor)));

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
