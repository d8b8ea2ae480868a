import type { Schema } from '@commonplace/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';
import { keys } from './query-keys.ts';

/** What an app requests. */
export type ConsentRequest = Schema<'Consent'>;

/** What an app requests that began in this browser. Read once, and again when a decision about it is refused as changed. */
export const consentQuery = (uid: string) =>
  queryOptions({
    queryKey: keys.consent(uid),
    queryFn: async ({ signal }) =>
      (await api.get('/connect/consent/{uid}', { params: { path: { uid } }, signal })).data,
    staleTime: Infinity,
    retry: false,
  });
