import type { Schema } from '@commonplace/client';
import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import { api } from './api.ts';
import { startOfDay } from './days.ts';
import { byCursor, cursorOf, readAll, reloadedWhileShort } from './pages.ts';
import { isForeignCompany, isNotGranted, isUnavailable } from './problems.ts';
import { keys } from './query-keys.ts';

/** All companies of the operator, by name; archived ones come last. */
export const companiesQuery = queryOptions({
  queryKey: keys.companies,
  queryFn: async ({ signal }) => {
    const items = await readAll(
      async (cursor) =>
        (
          await api.get('/api/companies', {
            params: { query: { limit: 200, ...cursorOf(cursor) } },
            signal,
          })
        ).data,
    );
    // Created on use: it takes longer than most modules to load, and the first page waits for those.
    const byName = new Intl.Collator(undefined, { sensitivity: 'base', numeric: true });
    return items.toSorted(
      (one, other) =>
        Number(isArchived(one)) - Number(isArchived(other)) || byName.compare(one.name, other.name),
    );
  },
});

const isArchived = ({ status }: Schema<'Company'>): boolean => status === 'archived';

/** Ends the key of one company, below which is all that belongs to it. */
const itself = 'itself';

/** One company. */
export const companyQuery = (companyId: string) =>
  queryOptions({
    queryKey: [...keys.company(companyId), itself],
    queryFn: async ({ signal, client, queryKey }) => {
      try {
        const params = { path: { companyId } };
        return (await api.get('/api/companies/{companyId}', { params, signal })).data;
      } catch (error) {
        // Who was no member is none while the server cannot be reached.
        const before = client.getQueryState(queryKey)?.error;
        throw isUnavailable(error) && isForeignCompany(before) ? before : error;
      }
    },
  });

/** Whether a query is that of one company, and not of something in it. */
export const isCompanyItself = (queryKey: readonly unknown[]): boolean =>
  queryKey.at(-1) === itself;

/** Loads the list of companies again, and the one whose pages are open, which the operator may have lost. */
export const reloadCompanies = (client: QueryClient) =>
  client.invalidateQueries({
    queryKey: keys.companies,
    predicate: ({ queryKey }) => queryKey.length === 1 || isCompanyItself(queryKey),
  });

/** How the notes of a company are searched beyond their words; null: the operator reaches only some folders. */
export const searchSettingsQuery = (companyId: string) =>
  queryOptions({
    queryKey: [...keys.company(companyId), 'search settings'],
    queryFn: async ({ signal }) => {
      try {
        return (
          await api.get('/api/companies/{companyId}/search-settings', {
            params: { path: { companyId } },
            signal,
          })
        ).data;
      } catch (error) {
        if (isNotGranted(error)) {
          return null;
        }
        throw error;
      }
    },
  });

/** The members of a company with their roles, perhaps only those whose name or email has a text. */
export const membersQuery = (companyId: string, q = '') =>
  infiniteQueryOptions({
    queryKey: [...keys.members(companyId), 'list', q],
    queryFn: async ({ pageParam, signal }) =>
      (
        await api.get('/api/companies/{companyId}/members', {
          params: {
            path: { companyId },
            query: { ...cursorOf(pageParam), ...(q === '' ? {} : { q }) },
          },
          signal,
        })
      ).data,
    ...byCursor,
    ...reloadedWhileShort,
  });

const readMembers = (companyId: string, signal: AbortSignal) =>
  readAll(
    async (cursor) =>
      (
        await api.get('/api/companies/{companyId}/members', {
          params: { path: { companyId }, query: { limit: 200, ...cursorOf(cursor) } },
          signal,
        })
      ).data,
  );

/** All members of a company, for their names. */
export const allMembersQuery = (companyId: string) =>
  queryOptions({
    queryKey: [...keys.members(companyId), 'all'],
    queryFn: ({ signal }) => readMembers(companyId, signal),
  });

/** The role of an operator in a company, from its member list; null if it is not a member. */
export const memberRoleQuery = (companyId: string, operatorId: string) =>
  queryOptions({
    queryKey: [...keys.members(companyId), 'role', operatorId],
    queryFn: async ({ signal }) => {
      const members = await readMembers(companyId, signal);
      return members.find((member) => member.operatorId === operatorId)?.role ?? null;
    },
  });

/** The filter of the audit log; the days are those of the browser's time zone, both included. */
export type ActivityFilter = {
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly entityId?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

const parametersOf = ({ from, to, ...filter }: ActivityFilter) => ({
  ...Object.fromEntries(Object.entries(filter).filter(([, value]) => value)),
  ...(from ? { since: startOfDay(from) } : {}),
  ...(to ? { until: startOfDay(to, 1) } : {}),
});

/** The audit log of a company, newest first. */
export const activityQuery = (companyId: string, filter: ActivityFilter = {}) =>
  infiniteQueryOptions({
    queryKey: [...keys.activity(companyId), filter],
    queryFn: async ({ pageParam, signal }) =>
      (
        await api.get('/api/companies/{companyId}/activity', {
          params: {
            path: { companyId },
            query: { ...cursorOf(pageParam), ...parametersOf(filter) },
          },
          signal,
        })
      ).data,
    ...byCursor,
  });

/** After a change of a member: reloads the members, and the session, whose own role it may have been. */
export const invalidateMembers = (client: QueryClient, companyId: string) =>
  Promise.all([
    client.invalidateQueries({ queryKey: keys.members(companyId) }),
    client.invalidateQueries({ queryKey: keys.session }),
  ]);

/** Invites that have not been accepted. */
export const invitesQuery = (companyId: string) =>
  infiniteQueryOptions({
    queryKey: keys.invites(companyId),
    queryFn: async ({ pageParam, signal }) =>
      (
        await api.get('/api/companies/{companyId}/invites', {
          params: { path: { companyId }, query: cursorOf(pageParam) },
          signal,
        })
      ).data,
    ...byCursor,
  });
