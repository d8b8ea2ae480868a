import type { Schema } from '@commonplace/client';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from './api.ts';
import { byCursor, cursorOf } from './pages.ts';
import { keys } from './query-keys.ts';

/** The filter of the audit log of the instance. */
export type InstanceActivityFilter = {
  readonly action?: Schema<'InstanceActivityEntry'>['action'] | undefined;
  readonly operatorId?: string | undefined;
};

/** The audit log of the instance, newest first: for administrators all, for others what concerns them. */
export const instanceActivityQuery = ({ action, operatorId }: InstanceActivityFilter) =>
  infiniteQueryOptions({
    queryKey: [...keys.instanceActivity, { action, operatorId }],
    queryFn: async ({ pageParam, signal }) =>
      (
        await api.get('/api/instance/activity', {
          params: {
            query: {
              ...cursorOf(pageParam),
              ...(action ? { action } : {}),
              ...(operatorId ? { operatorId } : {}),
            },
          },
          signal,
        })
      ).data,
    ...byCursor,
  });
