import type { Schema } from '@commonplace/client';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from './api.ts';
import { startOfDay } from './days.ts';
import { byCursor, cursorOf } from './pages.ts';
import { keys } from './query-keys.ts';

/** The filter of the sign-in history; the days are those of the browser's time zone, both included. */
export type SignInFilter = {
  readonly outcome?: Schema<'SignIn'>['outcome'] | undefined;
  readonly method?: Schema<'SignIn'>['method'] | undefined;
  readonly email?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

const parametersOf = ({ outcome, method, email, from, to }: SignInFilter) => ({
  ...(outcome ? { outcome } : {}),
  ...(method ? { method } : {}),
  ...(email ? { email } : {}),
  ...(from ? { since: startOfDay(from) } : {}),
  ...(to ? { until: startOfDay(to, 1) } : {}),
});

/** The sign-in history, newest first: the operator's own, for administrators everyone's. */
export const signInsQuery = (filter: SignInFilter) =>
  infiniteQueryOptions({
    queryKey: [...keys.signIns, filter],
    queryFn: async ({ pageParam, signal }) =>
      (
        await api.get('/api/auth/activity', {
          params: { query: { ...cursorOf(pageParam), ...parametersOf(filter) } },
          signal,
        })
      ).data,
    ...byCursor,
  });
