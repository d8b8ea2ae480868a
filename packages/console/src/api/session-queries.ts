import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';
import { byCursor, cursorOf, reloadedWhileShort } from './pages.ts';
import { keys } from './query-keys.ts';

/** The signed-in operator, the mode, and its roles in companies. */
export const sessionQuery = queryOptions({
  queryKey: keys.session,
  queryFn: async ({ signal }) => (await api.get('/api/auth/session', { signal })).data,
  staleTime: 60_000,
});

/** The operator's active sessions, on all devices. */
export const ownSessionsQuery = infiniteQueryOptions({
  queryKey: keys.ownSessions,
  queryFn: async ({ pageParam, signal }) =>
    (await api.get('/api/auth/sessions', { params: { query: cursorOf(pageParam) }, signal })).data,
  ...byCursor,
});

/** The session of this browser; null in local trusted mode. */
export const currentSessionQuery = queryOptions({
  queryKey: keys.currentSession,
  queryFn: async ({ signal }) => {
    // An operator has at most ten sessions: this is one page.
    const { data } = await api.get('/api/auth/sessions', { params: { query: {} }, signal });
    return data.items.find(({ current }) => current) ?? null;
  },
});

/** The identities linked to the operator's account. */
export const identitiesQuery = queryOptions({
  queryKey: keys.identities,
  queryFn: async ({ signal }) => (await api.get('/api/auth/identities', { signal })).data.items,
});

/** The operators of this instance, perhaps only those whose name or email has a text; for administrators. */
export const operatorsQuery = (q = '') =>
  infiniteQueryOptions({
    queryKey: [...keys.operators, 'list', q],
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...cursorOf(pageParam), ...(q === '' ? {} : { q }) };
      return (await api.get('/api/auth/operators', { params: { query }, signal })).data;
    },
    ...byCursor,
    ...reloadedWhileShort,
  });

/** The second factor of the operator. */
export const factorsQuery = queryOptions({
  queryKey: keys.factors,
  queryFn: async ({ signal }) => (await api.get('/api/auth/factors', { signal })).data,
});

/** The passkeys of the operator. */
export const passkeysQuery = queryOptions({
  queryKey: keys.passkeys,
  queryFn: async ({ signal }) => (await api.get('/api/auth/passkeys', { signal })).data,
});
